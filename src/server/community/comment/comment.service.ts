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
import type { PageInput } from '#shared/field.schemas.ts'
import type { Comment, CreateComment, EditComment } from '#shared/schemas/comment.schemas.ts'
import {
  notifyOfComment,
  notifyOfNewMentions,
  notifyOfReply,
} from '../notification/notification.service.ts'
import { listMentioned, mentioning } from '../writing/mentions.ts'
import { needsReview } from '../writing/review.ts'
import { commentShown } from './comment.events.ts'
import { deleteComment, findComment, insertComment, updateComment } from './comment.queries.ts'
import { type CommentSubject, requireCommentSubject } from './comment-subject.service.ts'
import { deleteReplies, listReplies, withReplies } from './reply.queries.ts'

type Services = { db: Database; live: LiveFeed }

/**
 * A reply to a reply joins the thread and begins with an @mention of its author.
 * @throws `invalid` when the parent is on another subject, `forbidden` when the video takes no
 * comments
 */
export async function postComment(
  { db, live }: Services,
  input: CreateComment & { viewer: Viewer },
): Promise<Comment> {
  const { viewer } = input
  const subject = await requireCommentSubject(db, input)
  const answered = input.parentId
    ? await requireParent(db, { id: input.parentId, subject, viewer })
    : null
  requireSelf(viewer, input.userId)
  if (subject.areCommentsOff) {
    throw new AppError('forbidden', 'Comments are turned off for this video.')
  }
  const isDeeper = answered !== null && answered.parentId !== null
  const content = isDeeper ? mentioning(input.content, answered) : input.content
  const isTrusted = viewer.isAdmin || viewer.id === subject.ownerId
  // Not visible before the comment that it answers.
  const isEarly =
    (answered !== null && answered.withheld !== null) ||
    (subject.postId !== null && !subject.isPublic)
  const waits = isEarly || (await needsReview(db, { userId: viewer.id, content, isTrusted }))
  const { id, notified } = await inTransaction(db, async (transaction) => {
    const id = await insertComment(transaction, {
      ...{ videoId: subject.videoId, postId: subject.postId, userId: viewer.id, content },
      clipId: answered ? answered.clipId : subject.clipId,
      parentId: answered ? (answered.parentId ?? answered.id) : null,
      withheld: waits ? 'held' : null,
    })
    if (waits) return { id, notified: [] }
    const said = { actor: viewer, subject, commentId: id, content, answered }
    return { id, notified: await notifyOfNewComment(transaction, said) }
  })
  live.announce(notified)
  const comment = await requireComment(db, { id, viewer })
  if (!waits) announceComments(live, comment)
  return comment
}

/**
 * Once it is public.
 * @returns notified users
 */
export async function notifyOfNewComment(
  db: DatabaseTransaction,
  input: {
    actor: Pick<Viewer, 'id' | 'displayName'>
    subject: Omit<CommentSubject, 'areCommentsOff'>
    commentId: number
    content: string
    answered: { userId: number | null } | null
  },
): Promise<number[]> {
  const { actor, subject, content, answered, commentId } = input
  if (subject.isPublic) await commentShown.raise({ db, commentId })
  // Others cannot see a subject that is not public.
  const mentioned = subject.isPublic ? await listMentioned(db, { content, authorId: actor.id }) : []
  const isOwner = answered?.userId === subject.ownerId
  const author = (subject.isPublic || isOwner ? answered?.userId : null) ?? null
  const about = { actor, content, subject, about: placeOf(subject, commentId) }
  const notified = answered ? [] : await notifyOfComment(db, about)
  const others = mentioned.filter((userId) => !notified.includes(userId))
  const reply = { ...about, answered: author, mentioned: others }
  return [...notified, ...(await notifyOfReply(db, reply))]
}

function placeOf(
  { videoId, postId }: Pick<CommentSubject, 'videoId' | 'postId'>,
  commentId: number,
) {
  return { videoId, postId, commentId }
}

export async function requireVisibleComment(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Comment> {
  return (await requireWithSubject(db, input)).comment
}

export async function requireWithSubject(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<{ comment: Comment; subject: CommentSubject }> {
  const comment = await requireWithParent(db, input)
  return { comment, subject: await requireSubjectOf(db, { comment, viewer: input.viewer }) }
}

/** Without the clip: it may be hidden with its maker, unlike its comments. */
function requireSubjectOf(
  db: Database,
  { comment, viewer }: { comment: Comment; viewer: Viewer | undefined },
): Promise<CommentSubject> {
  const { videoId, postId } = comment
  return requireCommentSubject(db, { videoId, postId, viewer })
}

/** The new text may need review; newly mentioned members are notified. */
export async function editComment(
  { db, live }: Services,
  input: EditComment & { viewer: Viewer },
): Promise<Comment> {
  const { id, content, viewer } = input
  const comment = await requireComment(db, input)
  const subject = await requireSubjectOf(db, { comment, viewer })
  if (comment.userId !== viewer.id) {
    throw new AppError('forbidden', 'Only its author can change this comment.')
  }
  const isTrusted = viewer.isAdmin || viewer.id === subject.ownerId
  const mustWait = await needsReview(db, { userId: viewer.id, content, isTrusted })
  const waits = mustWait && comment.withheld === null
  const notified = await inTransaction(db, async (transaction) => {
    const stored = await requireComment(transaction, input)
    requireUnchanged({ now: stored, wish: { content }, was: input.was })
    await updateComment(transaction, { id, content, waits })
    if (!subject.isPublic || waits || comment.withheld !== null) return []
    const about = placeOf(subject, id)
    return notifyOfNewMentions(transaction, {
      ...{ actor: viewer, subject, about, before: comment.content, content },
    })
  })
  live.announce(notified)
  announceComments(live, comment)
  return requireComment(db, input)
}

/** Tells open pages of the video or clip that its comments changed. */
export function announceComments(
  live: LiveFeed,
  { videoId, clipId }: Pick<Comment, 'videoId' | 'clipId'>,
): void {
  if (videoId !== null) {
    live.videos.announce(videoId, clipId === null ? 'comments' : 'clip-comments')
  }
}

/**
 * With replies and likes. Authors may, also when the subject has become invisible.
 * @throws `forbidden` unless the viewer wrote it, owns the subject or is an admin
 */
export async function removeComment(
  { db, live }: Services,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  const comment = await requireComment(db, input)
  const isOwn = comment.userId === viewer.id
  const subject = isOwn ? undefined : await requireSubjectOf(db, { comment, viewer })
  const asAdmin = subject !== undefined && subject.ownerId !== viewer.id
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
  announceComments(live, comment)
}

export async function readReplies(
  db: Database,
  input: PageInput & { id: number; viewer: Viewer | undefined },
) {
  const comment = await requireVisibleComment(db, input)
  return listReplies(db, { ...input, parentId: comment.id })
}

/** The top comment, its first replies and the requested one. */
export async function readThread(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Comment> {
  const { viewer } = input
  const comment = await requireVisibleComment(db, input)
  const top =
    comment.parentId === null ? comment : await requireComment(db, { id: comment.parentId, viewer })
  const [thread = top] = await withReplies(db, { viewer, comments: [top] })
  const replies = thread.replies ?? []
  const isThere = comment.id === top.id || replies.some(({ id }) => id === comment.id)
  return isThere ? thread : { ...thread, replies: [...replies, comment] }
}

async function requireWithParent(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer | undefined },
): Promise<Comment> {
  const comment = await requireComment(db, { id, viewer })
  if (comment.parentId !== null) await requireComment(db, { id: comment.parentId, viewer })
  return comment
}

async function requireComment(db: Database, input: { id: number; viewer: Viewer | undefined }) {
  const comment = await findComment(db, input)
  if (!comment) throw new AppError('not-found', 'There is no such comment.')
  return comment
}

async function requireParent(
  db: Database,
  { id, subject, viewer }: { id: number; subject: CommentSubject; viewer: Viewer },
): Promise<Comment> {
  const parent = await requireWithParent(db, { id, viewer })
  if (parent.videoId === subject.videoId && parent.postId === subject.postId) return parent
  const noun = subject.postId === null ? 'video' : 'post'
  throw new AppError('invalid', `The comment to answer is on another ${noun}.`)
}
