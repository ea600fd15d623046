import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireClipOwner } from '#server/video/clip/clip.service.ts'
import { findLikeCounts, storeLike } from '#server/video/like/like.queries.ts'
import { requireOwnSquad, requireVideoOwner } from '#server/video/video/video.service.ts'
import { deleteCommentsOn } from '#server/video/video/video-rows.queries.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { CreatePost, EditPost, Post } from '#shared/schemas/post.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'
import { notifyOfNewMentions, notifyOfPost } from '../notification/notification.service.ts'
import { needsReview } from '../writing/review.ts'
import {
  deletePost,
  findPost,
  findPostOwner,
  hasSentClip,
  insertPost,
  updatePost,
} from './post.queries.ts'

const NO_SUCH_POST = 'There is no such post.'

type Services = { db: Database; live: LiveFeed }

/**
 * Subscribers and mentioned members hear of it once it is public.
 * @throws `not-found` without such a video or clip; `invalid` when the video is another member's or anonymous; `conflict`
 * for a clip that the member has already sent to the squad
 */
export async function publishPost(
  { db, live }: Services,
  input: CreatePost & { viewer: Viewer },
): Promise<Post> {
  const { content, viewer } = input
  const videoId = input.videoId ?? null
  const clipId = input.clipId ?? null
  const squadId = input.squadId ?? null
  if (videoId !== null) await requireShowable(db, { id: videoId, viewer, squadId })
  if (clipId !== null) await requireClipOwner(db, { id: clipId, viewer })
  const waits = await needsReview(db, { userId: viewer.id, content, isTrusted: viewer.isAdmin })
  const { id, notified } = await inTransaction(db, async (transaction) => {
    const withheld = waits ? 'held' : null
    if (squadId !== null) await requireOwnSquad(transaction, { squadId, userId: viewer.id })
    if (clipId !== null && squadId !== null) {
      const sent = { clipId, squadId, channelId: viewer.id }
      if (await hasSentClip(transaction, sent)) {
        throw new AppError('conflict', 'You have already sent this clip to this squad.')
      }
    }
    const post = { channelId: viewer.id, content, videoId, clipId, squadId, withheld } as const
    const id = await insertPost(transaction, post)
    const told = { post: { id, content, squadId }, author: viewer }
    const notified = waits ? [] : await notifyOfPost(transaction, told)
    return { id, notified }
  })
  live.announce(notified)
  return requirePost(db, { id, viewer })
}

/**
 * Owner first: others must not learn that a video is anonymous. In a squad, members can also show what other channels
 * have in lists; each reader sees it only if it is in their lists too.
 */
async function requireShowable(
  db: Database,
  input: { id: number; viewer: Viewer; squadId: number | null },
): Promise<void> {
  const video = await requireVideoOwner(db, input)
  const isOwn = video.userId === input.viewer.id
  if (!isOwn && input.squadId === null) {
    throw new AppError('invalid', 'A post can only show a video of its own channel.')
  }
  const isListed =
    video.visibility !== 'unlisted' && (video.visibility !== 'private' || video.squadId !== null)
  if (!isOwn && (!isListed || video.isAnonymous === 1)) {
    throw new AppError('invalid', 'This video cannot be sent to a squad.')
  }
  if (video.isAnonymous === 1) {
    throw new AppError('invalid', 'An anonymous video cannot be in a post: it would name you.')
  }
}

/** The new text may need review; newly mentioned members are notified. */
export async function editPost(
  { db, live }: Services,
  input: EditPost & { viewer: Viewer },
): Promise<Post> {
  const { id, content, viewer } = input
  const post = await requirePost(db, input)
  if (post.channelId !== viewer.id) {
    throw new AppError('forbidden', 'Only its author can change this post.')
  }
  const mustWait = await needsReview(db, { userId: viewer.id, content, isTrusted: viewer.isAdmin })
  const waits = mustWait && post.withheld === null
  const notified = await inTransaction(db, async (transaction) => {
    const stored = await requirePost(transaction, input)
    requireUnchanged({ now: stored, wish: { content }, was: input.was })
    await updatePost(transaction, { id, content, waits })
    if (waits || post.withheld !== null) return []
    const said = { actor: viewer, subject: { clipId: null }, about: { postId: id } }
    return notifyOfNewMentions(transaction, { ...said, before: post.content, content })
  })
  live.announce(notified)
  return requirePost(db, input)
}

/**
 * With its comments.
 * @throws `forbidden` unless the viewer owns the channel or is an admin
 */
export async function removePost(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  const post = await requirePost(db, input)
  const asAdmin = post.channelId !== viewer.id
  if (asAdmin && !viewer.isAdmin) {
    throw new AppError('forbidden', 'Only its author can delete this post.')
  }
  await deleteCommentsOn(db, { postId: id })
  await inTransaction(db, async (transaction) => {
    await deletePost(transaction, id)
    if (!asAdmin) return
    const target = { kind: 'post', id, name: `${post.user.username}: ${post.content}` } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'post.delete', target })
  })
}

export async function likePost(
  db: Database,
  input: { id: number; like: Like | null; viewer: Viewer },
): Promise<LikeCounts> {
  const { like, viewer } = input
  return inTransaction(db, async (transaction) => {
    const { id } = await requirePostOwner(transaction, input)
    const key = { kind: 'post' as const, id, userId: viewer.id }
    await storeLike(transaction, { ...key, like })
    return findLikeCounts(transaction, key)
  })
}

export async function requirePost(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Post> {
  const post = await findPost(db, input)
  if (!post) throw new AppError('not-found', NO_SUCH_POST)
  return post
}

export async function requirePostOwner(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
) {
  const post = await findPostOwner(db, input)
  if (!post) throw new AppError('not-found', NO_SUCH_POST)
  return post
}
