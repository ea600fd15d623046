import { isAwayStatus } from '#client/platform/connection.ts'
import { UploadCallError } from './upload-transport.ts'

const FIRST_PAUSE_MS = 1000
/** Each pause after the second is twice as long as the one before. */
const SECOND_PAUSE_MS = 3000
const LONGEST_PAUSE_MS = 60_000
/** How often a call is retried that the server answers with an error. */
const MAX_RETRIES = 3
/** How long an upload waits for a server that cannot be reached. */
const PATIENCE_MS = 60 * 60_000

/** Ends early when a lost connection is back. Rejects with the signal's reason as soon as it aborts. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>

export type RetryOptions = {
  signal: AbortSignal
  pause: Pause
  now: () => number
  /** Called before each pause. */
  onInterrupted: () => void
}

/**
 * Runs `attempt` and retries it with growing pauses: for an hour when the server could not be reached, up to three times
 * when it answered with an error of its own. A refusal (4xx) is final, and an abort is never retried.
 * @param options.finalStatus a status that is a refusal here, although it mostly is not
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, pause, now, onInterrupted, finalStatus }: RetryOptions & { finalStatus?: number },
): Promise<Result> {
  const startedAt = now()
  let serverErrors = 0
  for (let tries = 0; ; tries++) {
    try {
      signal.throwIfAborted()
      return await attempt()
    } catch (error) {
      const status = statusOf(error)
      const isFinal = !isWorthRetrying(error) || (status && status === finalStatus)
      if (signal.aborted || isFinal) throw error
      const isOver = isAway(error) ? now() - startedAt >= PATIENCE_MS : ++serverErrors > MAX_RETRIES
      if (isOver) throw error
      onInterrupted()
      await pause(Math.max(pauseAfter(tries), askedPauseMs(error)), signal)
    }
  }
}

function pauseAfter(tries: number): number {
  if (tries === 0) return FIRST_PAUSE_MS
  return Math.min(SECOND_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS)
}

/** Whether a call failed because the server could not be reached, directly or behind its proxy. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof UploadCallError)) return false
  return error.status === undefined || isAwayStatus(error.status)
}

function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof UploadCallError)) return false
  const { status } = error
  return status === undefined || status === 408 || status === 429 || status >= 500
}

/** The HTTP status of a failed call; undefined when no answer came, or it was no call. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof UploadCallError ? error.status : undefined
}

function askedPauseMs(error: unknown): number {
  const seconds = error instanceof UploadCallError ? (error.retryAfterSeconds ?? 0) : 0
  return Math.min(seconds * 1000, LONGEST_PAUSE_MS)
}
