import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { FuzzRequest } from './fuzz-request.ts'

/** What came back; `broken` says how the connection ended when nothing did. */
export type FuzzAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  broken?: string
}

const READ_BYTES_MAX = 1024 * 1024
/** Far more than any answer takes, on any machine. */
const ANSWER_MS = 60_000

export type Sender = ReturnType<typeof createSender>

/** Sends requests to the server at `port` on this machine over connections that stay open. */
export function createSender(port: number) {
  const agent = new Agent({ keepAlive: true })
  return {
    send: (request: FuzzRequest): Promise<FuzzAnswer> =>
      request.bytes
        ? sendBytes(port, request.bytes, request.hangsUp)
        : sendHttp(request, { port, agent }),
    close: () => agent.destroy(),
  }
}

function sendHttp(
  { method, target, headers, body }: FuzzRequest,
  { port, agent }: { port: number; agent: Agent },
): Promise<FuzzAnswer> {
  return new Promise((resolve) => {
    const fail = (broken: string) => resolve({ status: 0, headers: {}, text: '', broken })
    const flat = headers.flat()
    if (!headers.some(([name]) => name === 'host')) flat.push('host', `127.0.0.1:${port}`)
    if (body) flat.push('content-length', String(body.length))
    const options = { host: '127.0.0.1', port, agent, method, path: target, headers: flat }
    const request: ClientRequest = httpRequest(options, (response) => {
      readAnswer(response).then(resolve, (error) => fail(String(error)))
    })
    request.setTimeout(ANSWER_MS, () => request.destroy(new Error('no answer in time')))
    request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    request.end(body)
  })
}

/** Reads as much as an answer ever has; a stream of events is left after its first words. */
async function readAnswer(response: IncomingMessage): Promise<FuzzAnswer> {
  const parts: Buffer[] = []
  let length = 0
  const isStream = response.headers['content-type']?.startsWith('text/event-stream')
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (isStream || length > READ_BYTES_MAX) break
  }
  const { statusCode = 0, headers } = response
  return { status: statusCode, headers, text: Buffer.concat(parts).toString() }
}

function sendBytes(port: number, bytes: Buffer, hangsUp = false): Promise<FuzzAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const parts: Buffer[] = []
    const finish = (broken?: string) => {
      clearTimeout(late)
      socket.destroy()
      resolve({ ...parseHead(Buffer.concat(parts).toString('latin1')), ...(broken && { broken }) })
    }
    const late = setTimeout(() => finish('no answer in time'), ANSWER_MS)
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.on('end', () => finish())
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish(parts.length > 0 ? undefined : error.code),
    )
    socket.write(bytes, () => {
      if (hangsUp) finish()
    })
  })
}

/** The first answer of what came back, but for 'go on'. */
function parseHead(text: string): FuzzAnswer {
  const [head = '', ...rest] = text
    .replace(/^HTTP\/1\.1 1\d\d [\s\S]*?\r\n\r\n/, '')
    .split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers['content-length'] ?? Number.NaN)
  const body = rest.join('\r\n\r\n')
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const own = isChunked ? joinChunks(body) : Number.isNaN(length) ? body : body.slice(0, length)
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0), headers, text: own }
}

/** The bytes of a body that came in chunks, each behind its length in hexadecimal digits. */
function joinChunks(body: string): string {
  const [, digits = '0'] = /^([\da-f]+)\r\n/i.exec(body) ?? []
  const length = Number.parseInt(digits, 16)
  const start = digits.length + 2
  if (length === 0) return ''
  return body.slice(start, start + length) + joinChunks(body.slice(start + length + 2))
}
