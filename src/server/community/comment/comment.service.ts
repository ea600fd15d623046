import { requireSelf } from '#server/account/user/user.access.ts'
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
import { requireClipOwner } from '#server/video/clip/clip.service.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Comment, CreateComment, EditComment } from '#shared/schemas/comment.schemas.ts'
import { listNotifiedOf } from '../notification/notification.queries.ts'
import { notifyOfComment, notifyOfReply } from '../notification/notification.service.ts'
import { deleteComment, findComment, insertComment, updateComment } from './comment.queries.ts'
import { needsReview } from './comment-review.ts'
import { listMentioned, mentioning } from './mentions.ts'
import { deleteReplies, listReplies, withReplies } from './reply.queries.ts'

/**
 * Posts a comment or a reply. A reply to a reply hangs on the same top comment and begins with an
 * @mention of the person answered.
 * @throws AppError `not-found` without such a video or parent, `invalid` when the parent is of another
 * video, `forbidden` when `userId` is another member's or the video takes no comments.
 */
export async function postComment(
  { db, live }: { db: Database; live: LiveFeed },
  input: CreateComment & { viewer: Viewer },
): Promise<Comment> {
  const { viewer } = input
  const video = await requireVideoOwner(db, { id: input.videoId, viewer })
  const clip = input.clipId ? await requireClipOwner(db, { id: input.clipId, viewer }) : undefined
  if (clip && clip.videoId !== video.id) {
    throw new AppError('invalid', 'This clip is of another video.')
  }
  const answered = input.parentId ? await requireParent(db, { ...input, id: input.parentId }) : null
  requireSelf(viewer, input.userId)
  if (video.commentsOff === 1) {
    throw new AppError('forbidden', 'Comments are turned off for this video.')
  }
  const isDeeper = answered !== null && answered.parentId !== null
  const content = isDeeper ? mentioning(input.content, answered) : input.content
  const isTrusted = viewer.isAdmin || viewer.id === video.userId
  // An answer to what nobody sees yet cannot be seen before it.
  const waits =
    (answered !== null && answered.withheld !== null) ||
    (await needsReview(db, { userId: viewer.id, content, isTrusted }))
  let notified: number[] = []
  const id = await inTransaction(db, async (transaction) => {
    const parentId = answered ? (answered.parentId ?? answered.id) : null
    const withheld = waits ? 'held' : null
    const clipId = answered ? answered.clipId : (clip?.id ?? null)
    const comment = {
      videoId: video.id,
      clipId,
      userId: viewer.id,
      parentId,
      content,
      withheld,
    } as const
    const commentId = await insertComment(transaction, comment)
    if (waits) return commentId
    const about = { actor: viewer, video, commentId, content }
    notified = await notifyOfNewComment(transaction, { ...about, answered, clip })
    return commentId
  })
  live.announce(notified)
  return requireComment(db, { id, viewer })
}

type ClipOfComment = { userId: number; title: string }
type VideoOfComment = Awaited<ReturnType<typeof requireVideoOwner>>

/** Notifies those whom a comment concerns, once others see it. @returns them */
export async function notifyOfNewComment(
  db: DatabaseTransaction,
  input: {
    actor: Pick<Viewer, 'id' | 'displayName'>
    video: Pick<VideoOfComment, 'id' | 'userId' | 'title' | 'isPublished'>
    commentId: number
    content: string
    answered: { userId: number | null } | null
    clip?: ClipOfComment | undefined
  },
): Promise<number[]> {
  const { video, answered, clip, ...said } = input
  // A video that is not public exists for its owner only, not for whoever is answered or mentioned.
  const isPublished = video.isPublished === 1
  const mentioned = isPublished ? await listMentioned(db, input.content) : []
  const author = isPublished || answered?.userId === video.userId ? answered?.userId : null
  const about = { ...said, video }
  const notified = answered ? [] : await notifyOfComment(db, { ...about, clip })
  const others = mentioned.filter((userId) => !notified.includes(userId))
  const reply = { ...about, answered: author ?? null, mentioned: others }
  return [...notified, ...(await notifyOfReply(db, reply))]
}

/** @throws AppError `not-found` when its video is not visible to the viewer. */
export async function requireVisibleComment(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<Comment> {
  const comment = await requireComment(db, input)
  await requireVideoOwner(db, { id: comment.videoId, viewer: input.viewer })
  return comment
}

/**
 * Changes one's own comment; the new text may have to wait for an admin like that of a new one.
 * Whoever is mentioned in it for the first time is notified, once.
 * @throws AppError `not-found`, `forbidden` for another member's, `conflict` when it is not what it `was`
 */
export async function editComment(
  { db, live }: { db: Database; live: LiveFeed },
  input: EditComment & { viewer: Viewer },
): Promise<Comment> {
  const { id, content, viewer } = input
  const comment = await requireComment(db, input)
  const video = await requireVideoOwner(db, { id: comment.videoId, viewer })
  if (comment.userId !== viewer.id) {
    throw new AppError('forbidden', 'Only its author can change this comment.')
  }
  const isTrusted = viewer.isAdmin || viewer.id === video.userId
  const mustWait = await needsReview(db, { userId: viewer.id, content, isTrusted })
  const waits = mustWait && comment.withheld === null
  const notified = await inTransaction(db, async (transaction) => {
    const stored = await requireComment(transaction, input)
    requireUnchanged({ now: stored, wish: { content }, was: input.was })
    await updateComment(transaction, { id, content, waits })
    if (video.isPublished !== 1 || waits || comment.withheld !== null) return []
    const before = await listMentioned(transaction, comment.content)
    const now = await listMentioned(transaction, content)
    const userIds = now.filter((userId) => !before.includes(userId))
    const already = await listNotifiedOf(transaction, { subject: 'commentId', id, userIds })
    const mentioned = userIds.filter((userId) => !already.includes(userId))
    const about = { actor: viewer, video, commentId: id, content }
    return notifyOfReply(transaction, { ...about, answered: null, mentioned })
  })
  live.announce(notified)
  return requireComment(db, input)
}

/**
 * Deletes a comment with its replies and likes. One's own words can be taken back also where the
 * video is no longer to be seen; to all others the comment is as invisible as the video.
 * @throws AppError `not-found`; `forbidden` unless the viewer wrote it, owns the video or is an admin
 */
export async function removeComment(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  const comment = await requireComment(db, input)
  const asOther = comment.userId !== viewer.id
  const video = asOther ? await requireVideoOwner(db, { id: comment.videoId, viewer }) : undefined
  const asAdmin = video !== undefined && video.userId !== viewer.id
  if (asAdmin && !viewer.isAdmin) {
    throw new AppError('forbidden', 'Only its author can delete this comment.')
  }
  await deleteReplies(db, id)
  await inTransaction(db, async (transaction) => {
    await deleteComment(transaction, id)
    if (!asAdmin) return
    const name = `${comment.user?.username ?? 'Deleted user'}: ${comment.content}`
    const target = { kind: 'comment', id, name } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'comment.delete', target })
  })
}

/**
 * The replies to a comment, oldest first.
 * @throws AppError `not-found` when the comment or its video does not exist for the viewer
 */
export async function readReplies(
  db: Database,
  input: PageInput & { id: number; viewer: Viewer | undefined },
) {
  const comment = await requireComment(db, input)
  await requireVideoOwner(db, { id: comment.videoId, viewer: input.viewer })
  return listReplies(db, { ...input, parentId: comment.id })
}

/**
 * The top comment that a comment belongs to, with its first replies. A reply that is asked for comes along even
 * where it is not among the first.
 * @throws AppError `not-found`, also for a comment or a video that the viewer may not see
 */
export async function readThread(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Comment> {
  const { viewer } = input
  const comment = await requireComment(db, input)
  await requireVideoOwner(db, { id: comment.videoId, viewer })
  const top =
    comment.parentId === null ? comment : await requireComment(db, { id: comment.parentId, viewer })
  const [thread = top] = await withReplies(db, { viewer, comments: [top] })
  const replies = thread.replies ?? []
  const isThere = comment.id === top.id || replies.some(({ id }) => id === comment.id)
  return isThere ? thread : { ...thread, replies: [...replies, comment] }
}

async function requireComment(db: Database, input: { id: number; viewer: Viewer | undefined }) {
  const comment = await findComment(db, input)
  if (!comment) throw new AppError('not-found', 'There is no such comment.')
  return comment
}

async function requireParent(
  db: Database,
  input: { id: number; videoId: number; viewer: Viewer },
): Promise<Comment> {
  const parent = await requireComment(db, input)
  if (parent.videoId !== input.videoId) {
    throw new AppError('invalid', 'The comment to answer is on another video.')
  }
  return parent
}
