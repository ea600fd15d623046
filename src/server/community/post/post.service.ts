import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { POST_MAX, POST_TOO_LONG } from '#shared/limits.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { CreatePost, EditPost, Post, PostThread } from '#shared/schemas/post.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'
import { needsReview } from '../comment/comment-review.ts'
import { listMentioned, mentioning } from '../comment/mentions.ts'
import { listNotifiedOf } from '../notification/notification.queries.ts'
import {
  insertPostNotifications,
  notifyOfPostComment,
  notifyOfPostReply,
} from '../notification/post-notification.service.ts'
import {
  deleteCommentsOnPost,
  deletePost,
  findPost,
  insertPost,
  updatePost,
  updatePostLike,
} from './post.queries.ts'

type Services = { db: Database; live: LiveFeed }

/**
 * Posts on one's own channel; subscribers are notified, once others see it.
 * @throws AppError `not-found` without such a video; `invalid` when it is not one's own, or anonymous
 */
export async function publishPost(
  { db, live }: Services,
  input: CreatePost & { viewer: Viewer },
): Promise<Post> {
  const { content, viewer } = input
  const videoId = input.videoId ?? null
  if (videoId !== null) await requireShowable(db, { id: videoId, viewer })
  const waits = await needsReview(db, { userId: viewer.id, content, isTrusted: viewer.isAdmin })
  const { id, notified } = await inTransaction(db, async (transaction) => {
    const withheld = waits ? 'held' : null
    const place = { channelId: viewer.id, parentId: null, topCommentId: null } as const
    const own = { ...place, userId: viewer.id, content, videoId, withheld } as const
    const id = await insertPost(transaction, own)
    const post = { ...place, id, content }
    return {
      id,
      notified: waits ? [] : await notifyOfNewPost(transaction, { post, author: viewer }),
    }
  })
  live.announce(notified)
  return requirePost(db, { id, viewer })
}

/** Only the owner learns whose an anonymous video is: to others it is another member’s. */
async function requireShowable(db: Database, input: { id: number; viewer: Viewer }): Promise<void> {
  const video = await requireVideoOwner(db, input)
  if (video.userId !== input.viewer.id) {
    throw new AppError('invalid', 'A post can only show a video of its own channel.')
  }
  if (video.isAnonymous === 1) {
    throw new AppError('invalid', 'An anonymous video cannot be in a post: it would name you.')
  }
}

/**
 * Tells those whom a post, or a comment on one, concerns, once others see it.
 * @param input.answered the author of what a reply answers
 * @returns them
 */
export async function notifyOfNewPost(
  db: DatabaseTransaction,
  input: {
    post: Pick<Post, 'id' | 'channelId' | 'parentId' | 'topCommentId' | 'content'>
    author: Pick<Viewer, 'id' | 'displayName'>
    answered?: number | null
  },
): Promise<number[]> {
  const { post, answered = null } = input
  const mentioned = await listMentioned(db, post.content)
  if (post.topCommentId !== null) {
    return notifyOfPostReply(db, { ...input, answered, mentioned })
  }
  const notified =
    post.parentId === null
      ? await insertPostNotifications(db, input)
      : await notifyOfPostComment(db, input)
  const others = mentioned.filter((userId) => !notified.includes(userId))
  const reply = { ...input, answered: null, mentioned: others }
  return [...notified, ...(await notifyOfPostReply(db, reply))]
}

/**
 * Comments on a post, or replies to a comment on one. A reply to a reply hangs on the same comment and begins with an
 * @mention of the person answered.
 * @throws AppError `not-found`; `invalid` when that mention makes it too long
 */
export async function commentOnPost(
  { db, live }: Services,
  input: { id: number; content: string; viewer: Viewer },
): Promise<Post> {
  const { viewer } = input
  const parent = await requirePost(db, input)
  const content = parent.topCommentId === null ? input.content : mentioning(input.content, parent)
  const isTrusted = viewer.isAdmin || viewer.id === parent.channelId
  const waits =
    parent.withheld !== null || (await needsReview(db, { userId: viewer.id, content, isTrusted }))
  const { channelId } = parent
  const isReply = parent.parentId !== null
  const place = {
    channelId,
    parentId: parent.parentId ?? parent.id,
    topCommentId: isReply ? (parent.topCommentId ?? parent.id) : null,
  }
  const { id, notified } = await inTransaction(db, async (transaction) => {
    const withheld = waits ? 'held' : null
    const own = { ...place, userId: viewer.id, videoId: null, content, withheld } as const
    const id = await insertPost(transaction, own)
    const post = { ...place, id, content }
    const about = { post, author: viewer, answered: isReply ? parent.userId : null }
    return { id, notified: waits ? [] : await notifyOfNewPost(transaction, about) }
  })
  live.announce(notified)
  return requirePost(db, { id, viewer })
}

/**
 * Changes one's own post or comment; the new text may have to wait like that of a new one.
 * Whoever is mentioned in it for the first time is notified, once.
 * @throws AppError `not-found`; `forbidden` for another member’s; `invalid` for too long a post
 */
export async function editPost(
  { db, live }: Services,
  input: EditPost & { viewer: Viewer },
): Promise<Post> {
  const { id, content, viewer } = input
  const post = await requirePost(db, input)
  if (post.userId !== viewer.id) {
    throw new AppError('forbidden', 'Only its author can change this post.')
  }
  if (post.parentId === null && content.length > POST_MAX) {
    throw new AppError('invalid', POST_TOO_LONG)
  }
  const isTrusted = viewer.isAdmin || (post.parentId !== null && viewer.id === post.channelId)
  const mustWait = await needsReview(db, { userId: viewer.id, content, isTrusted })
  const waits = mustWait && post.withheld === null
  const notified = await inTransaction(db, async (transaction) => {
    const stored = await requirePost(transaction, input)
    requireUnchanged({ now: stored, wish: { content }, was: input.was })
    await updatePost(transaction, { id, content, waits })
    if (waits || post.withheld !== null) return []
    const before = await listMentioned(transaction, post.content)
    const now = await listMentioned(transaction, content)
    const userIds = now.filter((userId) => !before.includes(userId))
    const already = await listNotifiedOf(transaction, { subject: 'postId', id, userIds })
    const mentioned = userIds.filter((userId) => !already.includes(userId))
    const about = { post: { ...post, content }, author: viewer }
    return notifyOfPostReply(transaction, { ...about, answered: null, mentioned })
  })
  live.announce(notified)
  return requirePost(db, input)
}

/**
 * Deletes a post with the comments on it, or a comment with its replies.
 * @throws AppError `not-found`; `forbidden` unless the viewer wrote it, has the channel or is an admin
 */
export async function removePost(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  const post = await requirePost(db, input)
  const asAdmin = post.userId !== viewer.id && post.channelId !== viewer.id
  if (asAdmin && !viewer.isAdmin) {
    throw new AppError('forbidden', 'Only its author can delete this post.')
  }
  await deleteCommentsOnPost(db, id)
  await inTransaction(db, async (transaction) => {
    await deletePost(transaction, id)
    if (!asAdmin) return
    const name = `${post.user?.username ?? 'Deleted user'}: ${post.content}`
    const target = { kind: 'post', id, name } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'post.delete', target })
  })
}

/** Rates a post or a comment on one; null takes the rating back. @throws AppError `not-found` */
export async function likePost(
  db: Database,
  input: { id: number; like: Like | null; viewer: Viewer },
): Promise<LikeCounts> {
  const { id, like, viewer } = input
  return inTransaction(db, async (transaction) => {
    await requirePost(transaction, input)
    return updatePostLike(transaction, { postId: id, userId: viewer.id, like })
  })
}

/** @throws AppError `not-found`, also when it is not visible to the viewer */
export async function requirePost(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Post> {
  const post = await findPost(db, input)
  if (!post) throw new AppError('not-found', 'There is no such post.')
  return post
}

/** @throws AppError `not-found`, also when a part of the thread is not visible to the viewer */
export async function readPostThread(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer | undefined },
): Promise<PostThread> {
  const found = await requirePost(db, { id, viewer })
  const { parentId, topCommentId } = found
  if (parentId === null) return { post: found, comment: null, reply: null }
  const post = await requirePost(db, { id: parentId, viewer })
  if (topCommentId === null) return { post, comment: found, reply: null }
  const comment = await requirePost(db, { id: topCommentId, viewer })
  return { post, comment, reply: found }
}
