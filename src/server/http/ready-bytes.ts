import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { validateHeaderValue } from './node-http.ts'

/** A whole answer of status 200, ready to be sent again and again. */
export type ReadyBytes = {
  /** Names and values in turn, as `writeHead` takes them quickest. */
  headers: string[]
  body: Buffer
  /** The status and the lines of `headers`, as they are sent, once they were sent again. */
  head?: string
  /** The head as it is written in one second, and the body. */
  whole?: { second: number; bytes: Buffer }
}

type Exchange = { request: IncomingMessage; response: ServerResponse }
/** What a response knows about its own head. */
type HeadState = { _header: string | null; _headerSent: boolean }

/** @throws when a header has a value that cannot be sent */
export function toReadyBytes(headers: string[], body: Buffer): ReadyBytes {
  for (let at = 0; at < headers.length; at += 2) {
    validateHeaderValue(headers[at] ?? '', headers[at + 1] ?? '')
  }
  return { headers, body }
}

function writeHead({ headers }: ReadyBytes): string {
  let head = 'HTTP/1.1 200 OK\r\n'
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`
  return head
}

export function sendReady(response: ServerResponse, ready: ReadyBytes): void {
  response.writeHead(200, ready.headers).end(ready.body)
}

/**
 * As `sendReady`, with head and body in one piece: writing fifteen headers one by one, each of them checked,
 * costs as much as all the rest of the answer. The response is told through its own fields that its head is
 * sent; where it has no such fields, or the connection is not to stay open, the answer goes the usual way.
 */
export function createQuickSender(server: Server) {
  const stays = 'Connection: keep-alive\r\n'
  const seconds = Math.floor(server.keepAliveTimeout / 1000)
  const connection = seconds > 0 ? `${stays}Keep-Alive: timeout=${seconds}\r\n` : stays
  let date = { second: 0, line: '' }

  function wholeAt(ready: ReadyBytes, second: number): Buffer {
    if (ready.whole?.second === second) return ready.whole.bytes
    if (date.second !== second) {
      date = { second, line: `Date: ${new Date(second * 1000).toUTCString()}\r\n` }
    }
    ready.head ??= writeHead(ready)
    const head = Buffer.from(`${ready.head}${date.line}${connection}\r\n`, 'latin1')
    const bytes = Buffer.allocUnsafeSlow(head.length + ready.body.length)
    head.copy(bytes)
    ready.body.copy(bytes, head.length)
    ready.body = bytes.subarray(head.length)
    ready.whole = { second, bytes }
    return bytes
  }

  /** @param nowMs since 1970 */
  return (exchange: Exchange, ready: ReadyBytes, nowMs: number): void => {
    const { response } = exchange
    if (!canBeTold(exchange)) {
      sendReady(response, ready)
      return
    }
    const bytes = wholeAt(ready, Math.floor(nowMs / 1000))
    Object.assign(response, { _header: ready.head ?? '', _headerSent: true } satisfies HeadState)
    response.end(bytes)
  }
}

function canBeTold({ request, response }: Exchange): boolean {
  const { _header, _headerSent } = response as unknown as HeadState
  const { connection = 'keep-alive' } = request.headers
  const stays = connection === 'keep-alive' && request.httpVersion === '1.1'
  return stays && _header === null && _headerSent === false && !response.headersSent
}
