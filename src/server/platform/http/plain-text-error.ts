import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { describeFailure, describeForTrpc, type Failure } from '../trpc.ts'
import { secureFailure } from './answer/security-headers.ts'
import { refuseForm } from './connection/refused-form.ts'
import { isPatient } from './connection/slow-bodies.ts'
import { loggedAddress } from './logged-address.ts'

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
  429: 'Too many connections are open from your address.',
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

/** Answers any error of a request as one plain sentence; logs what is not the asker's doing. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure =
    describeFrameworkError(error) ?? describeBrokenOff(error, request) ?? describeFailure(error)
  if (failure.status >= 500) {
    const { status, message, reason = message } = failure
    const url = loggedAddress(request.url)
    const isForeseen = error instanceof AppError || status === 503
    if (isForeseen) request.log.warn({ status, reason, url }, 'request not answered')
    else request.log.error({ err: error, url }, 'request failed')
  }
  // Hanging up on a body that still comes would take the answer along; the rest is read and thrown away.
  if (failure.status === 413) reply.removeHeader('connection')
  return sendFailure(reply, failure)
}

/** A page that failed for no known reason names its request, for whoever reports it. */
export function sendFailure(reply: FastifyReply, failure: Failure) {
  if (failure.retryAfterSeconds) reply.header('retry-after', String(failure.retryAfterSeconds))
  secureFailure(reply).code(failure.status).header('cache-control', 'no-store')
  if (reply.request.url.startsWith('/trpc/')) return reply.send(describeForTrpc(failure))
  const isPage = !/^\/(api|media)\//.test(reply.request.url)
  const name = failure.status === 500 && isPage ? `\nRequest ${reply.request.id}` : ''
  const text = failure.message + name
  return reply.type('text/plain; charset=utf-8').send(refuseForm(reply, text))
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

/** Turns a connection away before it has said anything. */
export function refuseAtOnce(socket: Socket, status: number): void {
  socket.on('error', () => socket.destroy())
  socket.write(writeRefusal(status))
  socket.destroySoon()
}

/**
 * Says its sentence and hangs up. What the other side still sends is thrown away for a moment, as closing
 * on it would take the answer along; a side that never closes is not waited for.
 */
function answerSocket(socket: Duplex, status: number): void {
  answered.add(socket)
  socket.on('error', () => socket.destroy())
  socket.end(writeRefusal(status))
  socket.resume()
  const late = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(late))
}

function writeRefusal(status: number): string {
  const text = FRAMEWORK_SENTENCES[status] ?? ''
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  if (status === 429) head.push('Retry-After: 5')
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

/** Answers a request that expects anything but `100-continue`; Node's own answer says nothing. */
export function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  const text = FRAMEWORK_SENTENCES[417] ?? ''
  response.writeHead(417, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(text)
}

/** A client that went away before its request was whole is nobody's fault here, and gets no answer. */
function describeBrokenOff(error: unknown, { raw }: FastifyRequest): Failure | undefined {
  const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  // Of one that is whole it is a line of ours that was reset, such as that to the database.
  if (!isReset || !raw.destroyed || raw.complete) return undefined
  return { status: 400, message: 'The request was cut off.' }
}

function describeFrameworkError(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as FastifyError
  if (typeof code !== 'string' || !code.startsWith('FST_')) return undefined
  const status = FRAMEWORK_STATUSES[code] ?? statusCode ?? 500
  const message = FRAMEWORK_SENTENCES[status]
  return message ? { status, message } : undefined
}
