import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import { updateHearted, updatePinned } from './comment.queries.ts'
import { requireVisibleComment } from './comment.service.ts'

/**
 * Puts a top comment of one's own video before the others, in the place of an earlier one, or takes
 * it back.
 * @throws AppError `not-found`; `forbidden` on another member's video; `invalid` for a reply
 */
export async function pinComment(
  db: Database,
  input: { id: number; isPinned: boolean; viewer: Viewer },
): Promise<Comment> {
  const comment = await requireOnOwnVideo(db, input)
  if (comment.parentId !== null) {
    throw new AppError('invalid', 'Only a comment that answers nobody can be pinned.')
  }
  if (comment.clipId !== null) {
    throw new AppError('invalid', 'Only a comment on the whole video can be pinned.')
  }
  if (input.isPinned && comment.withheld !== null) {
    throw new AppError('conflict', 'This comment is not public yet.')
  }
  const { id, videoId } = comment
  await inTransaction(db, (transaction) =>
    updatePinned(transaction, { id, videoId, isPinned: input.isPinned }),
  )
  return requireVisibleComment(db, input)
}

/** Gives a comment on one's own video a heart, or takes it back. @throws as `pinComment` */
export async function heartComment(
  db: Database,
  input: { id: number; isHearted: boolean; viewer: Viewer },
): Promise<Comment> {
  await requireOnOwnVideo(db, input)
  await updateHearted(db, input)
  return requireVisibleComment(db, input)
}

async function requireOnOwnVideo(db: Database, input: { id: number; viewer: Viewer }) {
  const comment = await requireVisibleComment(db, input)
  const video = await requireVideoOwner(db, { id: comment.videoId, viewer: input.viewer })
  if (video.userId === input.viewer.id) return comment
  throw new AppError('forbidden', 'Only the owner of the video can do this.')
}
