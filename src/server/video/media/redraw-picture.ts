import { AppError } from '#server/platform/errors.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  MediaKilledError,
} from '../processing/media-errors.ts'
import type { ThumbnailTask } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'

const TIMEOUT_MS = 20_000

/**
 * Only pixels remain; PNG by the name, else JPEG.
 * @throws `unprocessable`, `busy` at shutdown
 */
export async function redrawPicture(
  task: Omit<ThumbnailTask, 'kind'>,
  options: { memberId: number; signal: AbortSignal },
): Promise<void> {
  try {
    await runMediaTask({ kind: 'thumbnail', ...task }, { timeoutMs: TIMEOUT_MS, ...options })
  } catch (error) {
    throw explainMediaFailure(error)
  }
}

export function explainMediaFailure(error: unknown): unknown {
  if (error instanceof MediaKilledError) return workWasKilled(error)
  if (error instanceof MediaFailedError) return new AppError('unprocessable', error.message)
  if (!(error instanceof MediaInterruptedError)) return error
  return new AppError('busy', 'The server is restarting. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })
}

/** A retry may help. */
export function workWasKilled({ message }: MediaKilledError): AppError {
  return new AppError('busy', `${message} Please try again in a moment.`, { retryAfterSeconds: 2 })
}
