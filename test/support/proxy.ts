import http, {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Server } from 'node:net'

export type Exchange = { asked: IncomingMessage; response: ServerResponse }

/** Listens on a free port of loopback. @returns the origin of an HTTP server there */
export async function listenLocally(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts an HTTP server on a free port of loopback; `stop` also ends requests in progress. */
export async function startLocalServer(handle: (exchange: Exchange) => unknown) {
  const server = http.createServer((asked, response) => void handle({ asked, response }))
  return {
    origin: await listenLocally(server),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

/**
 * Sends a request to the server at `origin`, and by default its answer back. The body is sent once there is a connection, so
 * after ECONNREFUSED the request can be passed to another server.
 */
export function passOn(
  { asked, response }: Exchange,
  origin: string,
  options: {
    /** Set in addition to those of the request. */
    headers?: OutgoingHttpHeaders
    /** Sent in place of the body of the request. */
    body?: NodeJS.ReadableStream
    agent?: http.Agent
    answer?: (answer: IncomingMessage) => unknown
    fail?: (error: NodeJS.ErrnoException) => unknown
    /** The request goes on when its sender is gone. */
    isDetached?: boolean
  } = {},
): http.ClientRequest {
  const { body = asked, agent, answer = (given) => sendBack(given, response) } = options
  const headers = { ...asked.headers, ...options.headers }
  const { method } = asked
  const onward = http.request(origin + asked.url, { method, headers, agent }, async (given) => {
    try {
      await answer(given)
    } catch {
      response.destroy()
    }
  })
  onward.on('error', options.fail ?? (() => response.destroy()))
  if (!options.isDetached) response.on('close', () => onward.destroy())
  onward.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => body.pipe(onward))
    else body.pipe(onward)
  })
  return onward
}

/** Answers with what another server answered. */
export function sendBack(
  given: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(given.statusCode ?? 502, { ...given.headers, ...headers })
  given.on('error', () => response.destroy())
  given.pipe(response)
}
