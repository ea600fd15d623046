import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { type FuzzRequest, isProcedureCall } from './fuzz-request.ts'
import type { FuzzAnswer } from './send-request.ts'

/** What no answer may reveal of the inside. */
const INSIDE =
  /SQLITE_|node_modules|\bFST_|ZodError|TRPCError|\bat (async )?\S+ \(|file:\/\/\/|clutch\.db-/

/** One that may be long names the chunks that are missing. */
const SENTENCE =
  /^[A-Z'"][^\n<>{}]{3,299}$|^[a-z][\w .]* [^\n<>{}]{3,299}$|^Missing chunks: [\d, ]+$/

/** Node's own refusals of what it cannot make a request of; they know no procedures. */
const PARSER_STATUSES = [400, 408, 431]

/** @returns what is wrong with an answer, in words; undefined when it is as documented */
export function findFault(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, headers, text, broken } = answer
  if (request.hangsUp) return undefined
  if (broken) return mayBeBroken(request, broken) ? undefined : `the connection broke: ${broken}`
  if (status === 0) return 'the connection was closed without an answer'
  if (status >= 500 && !findPlanned(request, answer)) return 'an unplanned status'
  if (!/nosniff/.test(String(headers['x-content-type-options']))) return 'nosniff is missing'
  if (status >= 400 && INSIDE.test(text)) return 'an internal detail is disclosed'
  if (status < 400 || request.method === 'HEAD') return undefined
  const isParsers = PARSER_STATUSES.includes(status) && headers.date === undefined
  // An address may spell the same path in another way, and then it is called all the same.
  const isJson = String(headers['content-type']).startsWith('application/json')
  if ((isProcedureCall(request) && !isParsers) || isJson) return findTrpcFault(answer)
  return findTextFault(request, answer)
}

/**
 * The planned refusals of the 5xx kind: a busy database says when to come back, and oEmbed wants a 501 for a format
 * that there is not. The disk is never full here, so that a 507 is a fault.
 * @returns the status, also of one call in a batch; undefined when nothing was refused so
 */
export function findPlanned(
  { label }: FuzzRequest,
  { status, headers, text }: FuzzAnswer,
): number | undefined {
  if (status === 501 && label === '/oembed') return status
  if (status === 503 && headers['retry-after'] !== undefined) return status
  return status === 207 && /"httpStatus":503\b/.test(text) ? 503 : undefined
}

/**
 * What is too large is refused while it is still being sent: the sender may find out as it writes. A refusal of
 * what could not be read says its sentence also to a HEAD, which nobody has seen in it.
 */
function mayBeBroken({ body, method, target }: FuzzRequest, broken: string): boolean {
  const isCutShort = /ECONNRESET|EPIPE/.test(broken) && (body?.length ?? 0) > 65_536
  const isHead = method === 'HEAD' && target.length > 8000
  return isCutShort || (isHead && broken === 'HPE_CLOSED_CONNECTION')
}

function findTextFault(request: FuzzRequest, { headers, text, status }: FuzzAnswer) {
  const type = String(headers['content-type'])
  const isPage = type.startsWith('text/html') && status === 404
  if (isPage && !/^\/(api|trpc|media|assets)\//.test(request.target)) return undefined
  if (type !== 'text/plain; charset=utf-8') return `a refusal of the type ${type}`
  return SENTENCE.test(text) ? undefined : 'a refusal without a plain sentence'
}

type TrpcError = {
  message?: unknown
  code?: unknown
  data?: { code?: unknown; httpStatus?: unknown }
}

function findTrpcFault({ headers, text, status }: FuzzAnswer): string | undefined {
  const type = String(headers['content-type'])
  if (!type.startsWith('application/json')) return `a failed procedure of the type ${type}`
  const body = parse(text)
  const single = !Array.isArray(body)
  const errors = (single ? [body] : body).flatMap((one) => (one?.error ? [one.error] : []))
  if (errors.length === 0) return 'a failed procedure without an error'
  for (const error of errors as TrpcError[]) {
    const { httpStatus, code } = error.data ?? {}
    if (typeof error.message !== 'string' || !SENTENCE.test(error.message)) {
      return 'a failed procedure without a plain sentence'
    }
    if (typeof httpStatus !== 'number' || (single && httpStatus !== status)) {
      return `a failed procedure says ${httpStatus}`
    }
    if (TRPC_ERROR_CODES_BY_KEY[code as 'PARSE_ERROR'] !== error.code) return `the code ${code}`
    if (httpStatus >= 500 && httpStatus !== 503) return 'an unplanned status inside'
  }
  return undefined
}

// biome-ignore lint/suspicious/noExplicitAny: it is looked through for what should be there
function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
