import { AppError } from '../../errors.ts'

export type MoveState = 'moving' | 'moved'

const MOVING_TEXT =
  'The site is moving to another database. Everything can be watched and read, and changed again in some minutes.'
const MOVED_TEXT =
  'The site has moved to another database and is about to start from there. Until then it can only be watched and read.'
const MOVING_RETRY_SECONDS = 30
const MOVED_RETRY_SECONDS = 120

export function describeMoveState(state: MoveState): AppError {
  return state === 'moving'
    ? new AppError('busy', MOVING_TEXT, { retryAfterSeconds: MOVING_RETRY_SECONDS })
    : new AppError('busy', MOVED_TEXT, { retryAfterSeconds: MOVED_RETRY_SECONDS })
}
