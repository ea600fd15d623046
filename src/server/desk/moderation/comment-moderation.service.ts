import { deleteComment } from '#server/community/comment/comment.queries.ts'
import { notifyOfNewComment } from '#server/community/comment/comment.service.ts'
import { deleteReplies } from '#server/community/comment/reply.queries.ts'
import { insertNotifications } from '#server/community/notification/notification.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  findCommentAuthor,
  findModeratedComment,
  resolveReportsAbout,
  updateWithheldComment,
} from './moderation.queries.ts'
import type { Services } from './moderation.service.ts'

type Action = { id: number; reason: string; viewer: Viewer }
type Moderated = Awaited<ReturnType<typeof requireModeratedComment>>

/** @throws AppError `not-found`, `conflict` when already hidden */
export async function hideComment({ db, live }: Services, input: Action): Promise<void> {
  const { id, reason, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const comment = await requireModeratedComment(transaction, id)
    if (comment.withheld === 'hidden') {
      throw new AppError('conflict', 'This comment is hidden already.')
    }
    await updateWithheldComment(transaction, { id, withheld: 'hidden' })
    await resolveReportsAbout(transaction, { column: 'commentId', id, closedBy: viewer.id })
    await log(transaction, { comment, action: 'comment.hide', viewer, reason })
    const title = `Your comment on "${comment.title}" was hidden`
    return notifyAuthor(transaction, { comment, title, message: reason, viewer })
  })
  live.announce(notified)
}

/**
 * Sends the notifications that were withheld.
 * @throws AppError `not-found`, `conflict` when not waiting
 */
export async function approveComment(
  { db, live }: Services,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const comment = await requireModeratedComment(transaction, id)
    if (comment.withheld !== 'held') {
      throw new AppError('conflict', 'This comment does not wait for review.')
    }
    const isBanned = comment.authorBannedAt !== null
    await updateWithheldComment(transaction, { id, withheld: isBanned ? 'banned' : null })
    await log(transaction, { comment, action: 'comment.approve', viewer, reason: '' })
    const { userId, displayName, content, parentId, clipMakerId, clipTitle } = comment
    if (isBanned || userId === null || displayName === null) return []
    const answered = parentId === null ? null : await findCommentAuthor(transaction, parentId)
    return notifyOfNewComment(transaction, {
      actor: { id: userId, displayName },
      video: {
        id: comment.videoId,
        userId: comment.ownerId,
        title: comment.title,
        isPublished: comment.videoIsPublished,
      },
      clip:
        clipMakerId === null || clipTitle === null
          ? undefined
          : { userId: clipMakerId, title: clipTitle },
      commentId: id,
      content,
      answered: answered ?? null,
    })
  })
  live.announce(notified)
}

/** @throws AppError `not-found`, `conflict` when not hidden */
export async function unhideComment(
  { db }: Services,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  await inTransaction(db, async (transaction) => {
    const comment = await requireModeratedComment(transaction, id)
    if (comment.withheld !== 'hidden') {
      throw new AppError('conflict', 'This comment is not hidden.')
    }
    const withheld = comment.authorBannedAt === null ? null : 'banned'
    await updateWithheldComment(transaction, { id, withheld })
    await log(transaction, { comment, action: 'comment.unhide', viewer, reason: '' })
  })
}

/** Notifies the author; deletes replies too. @throws AppError `not-found` */
export async function deleteModeratedComment({ db, live }: Services, input: Action): Promise<void> {
  const { id, reason, viewer } = input
  await requireModeratedComment(db, id)
  await deleteReplies(db, id)
  const notified = await inTransaction(db, async (transaction) => {
    const comment = await requireModeratedComment(transaction, id)
    const title = `Your comment on "${comment.title}" was deleted`
    const notified = await notifyAuthor(transaction, { comment, title, message: reason, viewer })
    await deleteComment(transaction, id)
    await log(transaction, { comment, action: 'comment.delete', viewer, reason })
    return notified
  })
  live.announce(notified)
}

/** @throws AppError `not-found` */
async function requireModeratedComment(db: Database, id: number) {
  const comment = await findModeratedComment(db, id)
  if (!comment) throw new AppError('not-found', 'There is no such comment.')
  return comment
}

async function log(
  db: Database,
  input: {
    comment: Moderated
    action: 'comment.approve' | 'comment.hide' | 'comment.unhide' | 'comment.delete'
    viewer: Viewer
    reason: string
  },
): Promise<void> {
  const { comment, action, viewer, reason } = input
  const name = `${comment.username ?? 'Deleted user'}: ${comment.content}`
  const target = { kind: 'comment', id: comment.id, name } as const
  await insertAuditEntry(db, { actor: viewer, action, target, reason })
}

async function notifyAuthor(
  db: Database,
  input: { comment: Moderated; title: string; message: string; viewer: Viewer },
): Promise<number[]> {
  const { comment, title, message, viewer } = input
  if (comment.userId === null || comment.userId === viewer.id) return []
  await insertNotifications(db, [
    {
      userId: comment.userId,
      type: 'comment',
      title,
      message,
      sourceUserId: viewer.id,
      videoId: comment.videoId,
    },
  ])
  return [comment.userId]
}
