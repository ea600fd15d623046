import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import { updateHearted, updatePinned } from './comment.queries.ts'
import { requireVisibleComment, requireWithSubject } from './comment.service.ts'

/**
 * Replaces an earlier pin.
 * @throws `forbidden` on another member's video or post, `invalid` for a reply
 */
export async function pinComment(
  db: Database,
  input: { id: number; isPinned: boolean; viewer: Viewer },
): Promise<Comment> {
  const { parentId, withheld, ...comment } = await requireOnOwn(db, input)
  if (parentId !== null) {
    throw new AppError('invalid', 'Only a comment that answers nobody can be pinned.')
  }
  if (input.isPinned && withheld !== null) {
    throw new AppError('conflict', 'This comment is not public yet.')
  }
  await inTransaction(db, (transaction) =>
    updatePinned(transaction, { ...comment, isPinned: input.isPinned }),
  )
  return requireVisibleComment(db, input)
}

/** @throws as `pinComment` */
export async function heartComment(
  db: Database,
  input: { id: number; isHearted: boolean; viewer: Viewer },
): Promise<Comment> {
  await requireOnOwn(db, input)
  await updateHearted(db, input)
  return requireVisibleComment(db, input)
}

async function requireOnOwn(db: Database, input: { id: number; viewer: Viewer }): Promise<Comment> {
  const { comment, subject } = await requireWithSubject(db, input)
  if (subject.ownerId === input.viewer.id) return comment
  const noun = subject.postId === null ? 'video' : 'post'
  throw new AppError('forbidden', `Only the owner of the ${noun} can do this.`)
}
