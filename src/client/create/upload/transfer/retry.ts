import { UploadCallError } from './upload-transport.ts'

/** The pauses before the second, third and fourth try: together longer than a server restart. */
const RETRY_PAUSES_MS = [1000, 3000, 6000]
const LONGEST_PAUSE_MS = 60_000

export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>

export type RetryOptions = {
  signal: AbortSignal
  pause: Pause
  /** Called before each pause. */
  onInterrupted: () => void
}

/**
 * Runs `attempt`, and up to three times more when the connection was lost or the server could not
 * answer just then. A refusal (4xx) is final, and an abort is never tried again.
 * @param options.finalStatus a status that is a refusal here, although it mostly is not
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, pause, onInterrupted, finalStatus }: RetryOptions & { finalStatus?: number },
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      signal.throwIfAborted()
      return await attempt()
    } catch (error) {
      const pauseMs = RETRY_PAUSES_MS[tries]
      if (signal.aborted || pauseMs === undefined) throw error
      const status = statusOf(error)
      if (!isWorthRetrying(error) || (status && status === finalStatus)) throw error
      onInterrupted()
      await pause(Math.max(pauseMs, askedPauseMs(error)), signal)
    }
  }
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

/** Waits; rejects with the signal's reason as soon as it aborts. */
export function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
