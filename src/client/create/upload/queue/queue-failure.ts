import { isAway } from '../transfer/retry.ts'
import { UploadCallError } from '../transfer/upload-transport.ts'

type QueueFailure =
  /** The queue waits and retries. */
  | { kind: 'later'; sentence: string; isSessionOver: boolean }
  | { kind: 'fail' | 'refuse' | 'lose-file'; sentence: string }

/** The chosen file differs from that of the unfinished upload. */
export class OtherFileError extends Error {}

const SESSION_OVER = 'Your session has ended. Sign in again to continue: nothing here is lost.'
const WAITED_IN_VAIN =
  'The server could not be reached for an hour. What has arrived is kept: retry it when you are back online.'
const NOT_NOW = 'The server is busy. The upload is retried automatically.'

/** @param failure of the engine, with causes */
export function readFailure(failure: unknown): QueueFailure {
  const cause = innermost(failure)
  if (cause instanceof OtherFileError) return { kind: 'lose-file', sentence: cause.message }
  if (!(cause instanceof UploadCallError)) {
    const sentence = cause instanceof Error ? cause.message : 'The upload failed.'
    return { kind: 'lose-file', sentence }
  }
  const { status, sentence } = cause
  if (status === 401) return { kind: 'later', sentence: SESSION_OVER, isSessionOver: true }
  if (isAway(cause)) return { kind: 'fail', sentence: WAITED_IN_VAIN }
  if (status === 500) return { kind: 'later', sentence: NOT_NOW, isSessionOver: false }
  if (status === 429) return { kind: 'later', sentence, isSessionOver: false }
  if (status === 422 || status === 415) return { kind: 'refuse', sentence }
  return { kind: 'fail', sentence }
}

/** Statuses of an upload that cannot continue. */
const OVER_STATUSES = [404, 409, 410, 422]

/** The next try opens a new upload. */
export function isUploadOver(failure: unknown): boolean {
  const cause = innermost(failure)
  return cause instanceof UploadCallError && OVER_STATUSES.includes(cause.status ?? 0)
}

function innermost(error: unknown): unknown {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) {
    if (inner instanceof UploadCallError) break
    inner = inner.cause
  }
  return inner
}
