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

/** Instead of misleading ones of the framework. */
const FRAMEWORK_STATUSES: Record<string, number> = {
  FST_INVALID_MULTIPART_CONTENT_TYPE: 415,
  FST_STATIC_FORBIDDEN_PATH: 404,
}

/** Node's parser errors other than 400. */
const PARSER_STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const LINGER_MS = 2_000

const answered = new WeakSet<Duplex>()

export const NOT_FOUND_TEXT = 'There is nothing at this address.'

/** Logs server faults. */
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
  // Closing during the body would lose the answer.
  if (failure.status === 413) reply.removeHeader('connection')
  return sendFailure(reply, failure)
}

/** With the request id if unexplained. */
export function sendFailure(reply: FastifyReply, failure: Failure) {
  if (failure.retryAfterSeconds) reply.header('retry-after', String(failure.retryAfterSeconds))
  secureFailure(reply).code(failure.status).header('cache-control', 'no-store')
  if (reply.request.url.startsWith('/trpc/')) return reply.send(describeForTrpc(failure))
  const isPage = !/^\/(api|media)\//.test(reply.request.url)
  const name = failure.status === 500 && isPage ? `\nRequest ${reply.request.id}` : ''
  const text = failure.message + name
  return reply.type('text/plain; charset=utf-8').send(refuseForm(reply, text))
}

/** For what Node cannot parse. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isPatient(socket)) return
  // The rest of a refused request fails again.
  if (answered.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  answerSocket(socket, PARSER_STATUSES[error.code ?? ''] ?? 400)
}

/** Node would close it silently. */
export function refuseTunnel(_: IncomingMessage, socket: Duplex): void {
  answerSocket(socket, 405)
}

export function refuseAtOnce(socket: Socket, status: number): void {
  socket.on('error', () => socket.destroy())
  socket.write(writeRefusal(status))
  socket.destroySoon()
}

/** Reads on for a moment, as closing would lose the answer. */
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

/** Node's answer has no text. */
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

/** A client that disconnected gets no answer. */
function describeBrokenOff(error: unknown, { raw }: FastifyRequest): Failure | undefined {
  const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  // After a complete request it is our connection, such as to the database.
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
