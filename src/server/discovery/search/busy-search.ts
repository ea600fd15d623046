import { AppError } from '#server/platform/errors.ts'

export const SEARCHES_WAITING_MAX = 200

export function busySearch(): AppError {
  return new AppError('busy', 'Too many are searching right now. Please try again in a moment.', {
    retryAfterSeconds: 1,
  })
}
