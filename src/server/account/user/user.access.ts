import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'

/** An id in a request may only repeat the session's. */
export function requireSelf(viewer: Viewer, userId: number | null | undefined): void {
  if (userId !== undefined && userId !== null && userId !== viewer.id) {
    throw new AppError('forbidden', 'You can only do this for your own account.')
  }
}
