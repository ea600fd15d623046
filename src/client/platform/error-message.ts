import { TRPCClientError } from '@trpc/client'
import type { FieldConflict } from '#shared/field-conflict.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { isAwayStatus, siteFetch } from './connection.ts'

export const CONNECTION_LOST =
  'The server could not be reached. Check your connection and try again.'

const TOO_LARGE_FOR_PROXY =
  'A proxy in front of the site refuses requests of this size. An admin can raise its limit.'

/** A proxy's page can be long. */
const MAX_CHARACTERS = 300

/** Also in the server's log. */
const REQUEST_ID_HEADER = 'x-request-id'

type Failure = { status?: number; sentence: string; requestId?: string | null }

/** A failure of a form, or of a proxy or limiter before the server. */
class FailedAnswer extends Error {
  readonly status: number
  readonly sentence: string
  readonly requestId: string | null

  constructor({ status, headers }: Response, sentence: string) {
    super(sentence)
    this.status = status
    this.sentence = sentence
    this.requestId = headers.get(REQUEST_ID_HEADER)
  }
}

/** Throws other answers than JSON with status and text, which tRPC would drop. */
export async function fetchJson(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await siteFetch(input, init)
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) return response
  throw await failedAnswer(response)
}

export async function failedAnswer(response: Response): Promise<Error> {
  const { status, statusText } = response
  const type = response.headers.get('content-type') ?? ''
  return new FailedAnswer(
    response,
    bodySentence({ status, type, body: await response.text() }) || statusText,
  )
}

const MARKUP = /^\s*<(?:!doctype|html|head|body|\?xml)\b/i

/** One line: the title of a proxy's page, or the meaning of 413. */
export function bodySentence(answer: { status: number; type: string; body: string }): string {
  const { status, type, body } = answer
  const isPage = type.includes('html') || MARKUP.test(body)
  if (isPage && status === 413) return TOO_LARGE_FOR_PROXY
  const text = isPage ? textOfPage(body) : body
  const words = cutText(text.replaceAll(/\s+/g, ' ').trim(), MAX_CHARACTERS)
  // A proxy's page repeats the status.
  return words.startsWith(`${status} `) ? words.slice(4) : words
}

function textOfPage(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  return page.title || (page.body.textContent ?? '')
}

/** '{status}: {text}', or a sentence without an answer: `{message}` of the specification. */
export function errorMessage(error: unknown): string {
  const { status, sentence } = describe(error)
  return status === undefined ? sentence : statusMessage(status, sentence)
}

/** Empty if the server gave none. */
export function serverSentence(error: unknown): string {
  return describe(error).sentence
}

/** Without a status, for other texts than the specification's. */
export function errorSentence(error: unknown): string {
  return serverSentence(error) || 'Something went wrong. Please try again.'
}

function statusMessage(status: number, text: string): string {
  return `${status}: ${text}`
}

/** Undefined without an answer. */
export function errorStatus(error: unknown): number | undefined {
  return describe(error).status
}

/** A retry may succeed. */
export function isConnectionError(error: unknown): boolean {
  // Neither has a cancelled call.
  if (error instanceof TRPCClientError && error.cause?.name === 'AbortError') return false
  const { status, sentence } = describe(error)
  return status === undefined ? sentence === CONNECTION_LOST : isAwayStatus(status)
}

/** Undefined for other failures. */
export function fieldConflicts(error: unknown): FieldConflict[] | undefined {
  return error instanceof TRPCClientError ? error.data?.conflicts : undefined
}

/** Returns the host to which the server refused to connect, if an admin can list it. */
export function unlistedHost(error: unknown): string | undefined {
  return error instanceof TRPCClientError ? error.data?.unlistedHost : undefined
}

/** For server errors only. */
export function failedRequestId(error: unknown): string | undefined {
  const { status = 0, requestId } = describe(error)
  return status >= 500 && requestId ? requestId : undefined
}

function describe(error: unknown): Failure {
  if (error instanceof TRPCClientError) {
    const response = error.meta?.response
    const answer = response instanceof Response ? response : undefined
    const requestId = answer?.headers.get(REQUEST_ID_HEADER) ?? null
    const status: unknown = error.data?.httpStatus
    if (typeof status === 'number') return { status, sentence: error.message, requestId }
    if (error.cause instanceof FailedAnswer) return error.cause
    // JSON, but not tRPC's.
    if (answer) return { status: answer.status, sentence: answer.statusText, requestId }
    return { sentence: CONNECTION_LOST }
  }
  if (error instanceof FailedAnswer) return error
  if (error instanceof TypeError) return { sentence: CONNECTION_LOST }
  return { sentence: error instanceof Error ? error.message : '' }
}
