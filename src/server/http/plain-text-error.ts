import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { describeFailure, describeForTrpc, type Failure } from '../trpc.ts'
import { isPatient } from './slow-bodies.ts'

/** Sentences for what the framework refuses before any of our code runs. */
const FRAMEWORK_SENTENCES: Record<number, string> = {
  400: 'The request is not well-formed.',
  404: 'There is nothing at this address.',
  405: 'This address does not take that method.',
  408: 'The request took too long to arrive.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'This kind of content is not accepted here.',
  417: 'The server does not do what the Expect header asks for.',
  431: 'The request headers are too large.',
}

/** Where the framework's status says less than the truth, or more than it should. */
const FRAMEWORK_STATUSES: Record<string, number> = {
  FST_INVALID_MULTIPART_CONTENT_TYPE: 415,
  FST_STATIC_FORBIDDEN_PATH: 404,
}

/** What Node's parser refuses with another status than 400. */
const PARSER_STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** How long a refused connection is still listened to. */
const LINGER_MS = 2_000

/** Connections that were refused, and are only still listened to. */
const answered = new WeakSet<Duplex>()

export const NOT_FOUND_TEXT = 'There is nothing at this address.'

/** Answers any error of a request as one plain sentence; logs what was not thrown on purpose. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = describeFrameworkError(error) ?? describeFailure(error)
  if (failure.status === 500) request.log.error({ err: error, url: request.url }, 'request failed')
  return sendFailure(reply, failure)
}

export function sendFailure(reply: FastifyReply, failure: Failure) {
  if (failure.retryAfterSeconds) reply.header('retry-after', String(failure.retryAfterSeconds))
  reply
    .code(failure.status)
    .header('cache-control', 'no-store')
    // What the framework refuses never gets to the security headers.
    .header('x-content-type-options', 'nosniff')
  if (reply.request.url.startsWith('/trpc/')) return reply.send(describeForTrpc(failure))
  return reply.type('text/plain; charset=utf-8').send(failure.message)
}

/** Answers on the bare socket what Node's parser could not make a request of. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isPatient(socket)) return
  // What follows the part that was refused is refused again.
  if (answered.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  answerSocket(socket, PARSER_STATUSES[error.code ?? ''] ?? 400)
}

/** Answers CONNECT, which asks for a proxy; Node would close the connection without a word. */
export function refuseTunnel(_: IncomingMessage, socket: Duplex): void {
  answerSocket(socket, 405)
}

/**
 * Says its sentence and hangs up. What the other side still sends is thrown away for a moment, as closing
 * on it would take the answer along; a side that never closes is not waited for.
 */
function answerSocket(socket: Duplex, status: number): void {
  const text = FRAMEWORK_SENTENCES[status] ?? ''
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  answered.add(socket)
  socket.on('error', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  socket.resume()
  const late = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(late))
}

/** Answers a request that expects anything but `100-continue`; Node's own answer says nothing. */
export function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(FRAMEWORK_SENTENCES[417])
}

/**
 * Refuses a request of HTTP/1.1 that does not say which host it is for, as RFC 9112 wants it; Node's own
 * refusal, which is switched off, says nothing.
 * @throws AppError `invalid`
 */
export function requireHost({ raw, headers }: FastifyRequest): void {
  if (headers.host !== undefined || raw.httpVersion === '1.0') return
  throw new AppError('invalid', 'The request does not say which host it is for.')
}

function describeFrameworkError(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as FastifyError
  if (typeof code !== 'string' || !code.startsWith('FST_')) return undefined
  const status = FRAMEWORK_STATUSES[code] ?? statusCode ?? 500
  const message = FRAMEWORK_SENTENCES[status]
  return message ? { status, message } : undefined
}
