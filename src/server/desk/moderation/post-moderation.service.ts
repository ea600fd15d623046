import { insertNotifications } from '#server/community/notification/notification.queries.ts'
import { deleteCommentsOnPost, deletePost } from '#server/community/post/post.queries.ts'
import { notifyOfNewPost } from '#server/community/post/post.service.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { resolveReportsAbout } from './moderation.queries.ts'
import type { Services } from './moderation.service.ts'
import { findModeratedPost, updateWithheldPost } from './post-moderation.queries.ts'

type Act = { id: number; viewer: Viewer }
type ModerationInput = Act & { reason: string }
type Moderated = Awaited<ReturnType<typeof requireModeratedPost>>

/** Also for comments on posts. @throws AppError `not-found`, `conflict` */
export async function hidePost({ db, live }: Services, input: ModerationInput): Promise<void> {
  const { id, reason, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const post = await requireModeratedPost(transaction, id)
    if (post.withheld === 'hidden') throw new AppError('conflict', 'This post is hidden already.')
    await updateWithheldPost(transaction, { id, withheld: 'hidden' })
    await resolveReportsAbout(transaction, { column: 'postId', id, closedBy: viewer.id })
    await log(transaction, { post, action: 'post.hide', viewer, reason })
    return notifyAuthor(transaction, { post, was: 'hidden', reason, viewer })
  })
  live.announce(notified)
}

/** Sends the withheld notifications. @throws AppError `not-found`, `conflict` */
export async function approvePost({ db, live }: Services, input: Act): Promise<void> {
  const { id, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const post = await requireModeratedPost(transaction, id)
    if (post.withheld !== 'held') {
      throw new AppError('conflict', 'This post does not wait for review.')
    }
    const isBanned = post.authorBannedAt !== null
    await updateWithheldPost(transaction, { id, withheld: isBanned ? 'banned' : null })
    await log(transaction, { post, action: 'post.approve', viewer, reason: '' })
    const { userId, displayName } = post
    if (isBanned || userId === null || displayName === null) return []
    const { answered } = post
    return notifyOfNewPost(transaction, { post, author: { id: userId, displayName }, answered })
  })
  live.announce(notified)
}

/** @throws AppError `not-found`, `conflict` when not hidden */
export async function unhidePost({ db }: Services, input: Act): Promise<void> {
  const { id, viewer } = input
  await inTransaction(db, async (transaction) => {
    const post = await requireModeratedPost(transaction, id)
    if (post.withheld !== 'hidden') throw new AppError('conflict', 'This post is not hidden.')
    const withheld = post.authorBannedAt === null ? null : 'banned'
    await updateWithheldPost(transaction, { id, withheld })
    await log(transaction, { post, action: 'post.unhide', viewer, reason: '' })
  })
}

/** Notifies the author; deletes comments too. @throws AppError `not-found` */
export async function deleteModeratedPost(
  { db, live }: Services,
  input: ModerationInput,
): Promise<void> {
  const { id, reason, viewer } = input
  await requireModeratedPost(db, id)
  await deleteCommentsOnPost(db, id)
  const notified = await inTransaction(db, async (transaction) => {
    const post = await requireModeratedPost(transaction, id)
    await deletePost(transaction, id)
    await log(transaction, { post, action: 'post.delete', viewer, reason })
    return notifyAuthor(transaction, { post, was: 'deleted', reason, viewer })
  })
  live.announce(notified)
}

async function requireModeratedPost(db: Database, id: number) {
  const post = await findModeratedPost(db, id)
  if (!post) throw new AppError('not-found', 'There is no such post.')
  return post
}

async function log(
  db: Database,
  input: {
    post: Moderated
    action: 'post.approve' | 'post.hide' | 'post.unhide' | 'post.delete'
    viewer: Viewer
    reason: string
  },
): Promise<void> {
  const { post, action, viewer, reason } = input
  const name = `${post.username ?? 'Deleted user'}: ${post.content}`
  const target = { kind: 'post', id: post.id, name } as const
  await insertAuditEntry(db, { actor: viewer, action, target, reason })
}

const POST_TITLES = { hidden: 'Your post was hidden', deleted: 'Your post was deleted' }
const COMMENT_TITLES = {
  hidden: 'Your comment on a post was hidden',
  deleted: 'Your comment on a post was deleted',
}

async function notifyAuthor(
  db: Database,
  input: { post: Moderated; was: 'hidden' | 'deleted'; reason: string; viewer: Viewer },
): Promise<number[]> {
  const { post, was, reason, viewer } = input
  if (post.userId === null || post.userId === viewer.id) return []
  const titles = post.parentId === null ? POST_TITLES : COMMENT_TITLES
  await insertNotifications(db, [
    {
      userId: post.userId,
      type: 'comment',
      title: titles[was],
      message: reason,
      sourceUserId: viewer.id,
    },
  ])
  return [post.userId]
}
