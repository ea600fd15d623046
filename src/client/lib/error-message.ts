import { TRPCClientError } from '@trpc/client'

export const CONNECTION_LOST =
  'The server could not be reached. Check your connection and try again.'

type Failure = { status?: number; sentence: string }

/** '{status}: {text}' of a failed call, or a sentence when no answer came: the `{message}` of the specification's texts. */
export function errorMessage(error: unknown): string {
  const { status, sentence } = describe(error)
  return status === undefined ? sentence : statusMessage(status, sentence)
}

/** Only the server's sentence; empty when it gave none. */
export function serverSentence(error: unknown): string {
  return describe(error).sentence
}

/** How a failed answer reads: status code, colon, space, body text. */
export function statusMessage(status: number, text: string): string {
  return `${status}: ${text}`
}

/** The status of the answer that failed, or undefined when there was no answer. */
export function errorStatus(error: unknown): number | undefined {
  return describe(error).status
}

function describe(error: unknown): Failure {
  if (error instanceof TRPCClientError) {
    const status: unknown = error.data?.httpStatus
    if (typeof status === 'number') return { status, sentence: error.message }
    // A proxy or a limiter answered in its own words, which tRPC does not hand on.
    const response = error.meta?.response
    if (response instanceof Response) {
      return { status: response.status, sentence: response.statusText }
    }
    return { sentence: CONNECTION_LOST }
  }
  if (error instanceof TypeError) return { sentence: CONNECTION_LOST }
  return { sentence: error instanceof Error ? error.message : '' }
}
