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

/** What the server names each request by, in its answer and in its log. */
const REQUEST_ID_HEADER = 'x-request-id'

type Failure = { status?: number; sentence: string; requestId?: string | null }

/** A failed answer that is none of tRPC's: of a form, or of a proxy or a limiter in the server's place. */
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

/** As `fetch`; an answer that is no JSON, which tRPC would drop, is thrown with its status and text. */
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

/** What the body of a failed answer says, in a line: of a proxy's page its title, and what a 413 page means. */
export function bodySentence(answer: { status: number; type: string; body: string }): string {
  const { status, type, body } = answer
  const isPage = type.includes('html') || MARKUP.test(body)
  if (isPage && status === 413) return TOO_LARGE_FOR_PROXY
  const text = isPage ? textOfPage(body) : body
  const words = cutText(text.replaceAll(/\s+/g, ' ').trim(), MAX_CHARACTERS)
  // A proxy's page says its status again.
  return words.startsWith(`${status} `) ? words.slice(4) : words
}

function textOfPage(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  return page.title || (page.body.textContent ?? '')
}

/** '{status}: {text}' of a failed call, or a sentence when no answer came: the `{message}` of the specification's texts. */
export function errorMessage(error: unknown): string {
  const { status, sentence } = describe(error)
  return status === undefined ? sentence : statusMessage(status, sentence)
}

/** Only the server's sentence; empty when it gave none. */
export function serverSentence(error: unknown): string {
  return describe(error).sentence
}

/** What went wrong, for texts that are not the specification's: a sentence without a status. */
export function errorSentence(error: unknown): string {
  return serverSentence(error) || 'Something went wrong. Please try again.'
}

/** How a failed answer reads: status code, colon, space, body text. */
function statusMessage(status: number, text: string): string {
  return `${status}: ${text}`
}

/** The status of the answer that failed, or undefined when there was no answer. */
export function errorStatus(error: unknown): number | undefined {
  return describe(error).status
}

/** Whether an error means that the server could not be reached, so that a retry may succeed. */
export function isConnectionError(error: unknown): boolean {
  // A cancelled call has no status either.
  if (error instanceof TRPCClientError && error.cause?.name === 'AbortError') return false
  const { status, sentence } = describe(error)
  return status === undefined ? sentence === CONNECTION_LOST : isAwayStatus(status)
}

/** The fields that an edit was refused for, as somebody else changed them; undefined for any other failure. */
export function fieldConflicts(error: unknown): FieldConflict[] | undefined {
  return error instanceof TRPCClientError ? error.data?.conflicts : undefined
}

/** What the server's log names the request by that it failed to answer; undefined for any other failure. */
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
    // JSON, but none of tRPC's.
    if (answer) return { status: answer.status, sentence: answer.statusText, requestId }
    return { sentence: CONNECTION_LOST }
  }
  if (error instanceof FailedAnswer) return error
  if (error instanceof TypeError) return { sentence: CONNECTION_LOST }
  return { sentence: error instanceof Error ? error.message : '' }
}
