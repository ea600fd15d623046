/**
 * In the transaction of the act; all return whom to tell through the live feed after its commit.
 */

import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { videoIsAnnounced } from '#server/video/video/video.queries.ts'
import { INBOX_GROUP } from '#shared/notification-kinds.ts'
import { listMentioned } from '../writing/mentions.ts'
import {
  deleteAnnouncedUpload,
  insertAnnouncedAct,
  listSubscribersOf,
} from './announcement.queries.ts'
import { announcePost, announceVideo } from './announcement.service.ts'
import { excerpt } from './excerpt.ts'
import { groupOf } from './group.ts'
import { insertForListening, listListening } from './muted.queries.ts'
import {
  deleteGroup,
  deleteNotification,
  deleteShareNotifications,
  findGroupKey,
  findOpenLikeNotification,
  findUnreadRecordings,
  insertNotifications,
  listNotifiedOf,
  type NewNotification,
  updateGroupRead,
  updateLikeNotification,
  updateMessage,
  updateRead,
} from './notification.queries.ts'
import { findNotification } from './notification-list.queries.ts'

const NO_SUCH_NOTIFICATION = 'There is no such notification.'

type Titled = { id: number; title: string }
type Author = Pick<Viewer, 'id' | 'displayName'>

/** The notification links to these. */
type About = Pick<NewNotification, 'videoId' | 'postId' | 'commentId'>
type Subject = { clipId: number | null }

/** To the owner of the video or post, or the maker of the clip. */
export async function notifyOfComment(
  db: DatabaseTransaction,
  input: {
    actor: Author
    /** Null for a post. */
    subject: Subject & { listenerId: number; title: string | null }
    about: About
    content: string
  },
): Promise<number[]> {
  const { actor, subject, about, content } = input
  const { listenerId: userId, title, clipId } = subject
  if (userId === actor.id) return []
  const name = title === null ? 'your post' : `"${title}"`
  const row: NewNotification = {
    userId,
    type: title === null ? 'comment' : 'video_comment',
    title: `New comment on ${name}`,
    message: `${actor.displayName}: ${excerpt(content)}`,
    sourceUserId: actor.id,
    ...about,
    ...groupOf('comments', { about: { ...about, clipId }, text: `commented on ${name}` }),
  }
  return insertForListening(db, { kind: 'comments', rows: [row] })
}

/** To the parent's author and each of `mentioned` once, never the actor. */
export async function notifyOfReply(
  db: DatabaseTransaction,
  input: {
    actor: Author
    subject: Subject
    about: About
    content: string
    answered: number | null
    mentioned: number[]
  },
): Promise<number[]> {
  const { actor, about, content, answered, mentioned } = input
  const place = { ...about, clipId: input.subject.clipId }
  const others = new Set([...(answered === null ? [] : [answered]), ...mentioned])
  others.delete(actor.id)
  const replies = groupOf('replies', { about: place, text: 'replied to you' })
  const mentions = groupOf('mentions', { about: place, text: 'mentioned you' })
  const rows = [...others].map(
    (userId): NewNotification => ({
      userId,
      type: 'comment_reply',
      title:
        userId === answered
          ? `${actor.displayName} replied to your comment`
          : `${actor.displayName} mentioned you`,
      message: excerpt(content),
      sourceUserId: actor.id,
      ...about,
      ...(userId === answered ? replies : mentions),
    }),
  )
  return insertForListening(db, { kind: 'replies', rows })
}

export async function notifyOfNewMentions(
  db: DatabaseTransaction,
  input: { actor: Author; subject: Subject; about: About; before: string; content: string },
): Promise<number[]> {
  const { before, ...said } = input
  const authorId = said.actor.id
  const old = await listMentioned(db, { content: before, authorId })
  const now = await listMentioned(db, { content: said.content, authorId })
  const added = now.filter((userId) => !old.includes(userId))
  const already = await listNotifiedOf(db, { about: said.about, userIds: added })
  const mentioned = added.filter((userId) => !already.includes(userId))
  return notifyOfReply(db, { ...said, answered: null, mentioned })
}

export async function notifyOfPost(
  db: DatabaseTransaction,
  input: { post: { id: number; content: string; squadId: number | null }; author: Author },
): Promise<number[]> {
  const { post, author } = input
  const { id: postId, content } = post
  const mentioned = await listMentioned(db, { content, authorId: author.id })
  const followers = await listSubscribersOf(db, { channelId: author.id, userIds: mentioned })
  // A post for a squad is not announced to subscribers, so all mentions count.
  const told =
    post.squadId === null ? await listListening(db, { kind: 'posts', userIds: followers }) : []
  const others = mentioned.filter((userId) => !told.includes(userId))
  const said = { actor: author, subject: { clipId: null }, about: { postId }, content }
  const replied = await notifyOfReply(db, { ...said, answered: null, mentioned: others })
  return [...replied, ...(await announcePost(db, postId))]
}

/** To the channel, at a member's first subscription. */
export async function notifyOfSubscriber(
  db: DatabaseTransaction,
  input: { actor: Viewer; channelId: number },
): Promise<number[]> {
  const { actor, channelId } = input
  const act = { kind: 'new_subscriber', actorId: actor.id, targetId: channelId } as const
  if (!(await insertAnnouncedAct(db, act))) return []
  const text = 'subscribed to your channel'
  const row: NewNotification = {
    userId: channelId,
    type: 'new_subscriber',
    title: 'New subscriber',
    message: `${actor.displayName} ${text}`,
    sourceUserId: actor.id,
    ...groupOf('subscribers', { about: {}, text }),
  }
  return insertForListening(db, { kind: 'subscribers', rows: [row] })
}

/** To the owner, at a member's first like; likes within an hour are collected. */
export async function notifyOfLike(
  db: DatabaseTransaction,
  input: { actor: Viewer; video: Titled & { userId: number } },
): Promise<number[]> {
  const { actor, video } = input
  if (video.userId === actor.id) return []
  const act = { kind: 'like', actorId: actor.id, targetId: video.id } as const
  if (!(await insertAnnouncedAct(db, act))) return []
  const [listener] = await listListening(db, { kind: 'likes', userIds: [video.userId] })
  if (listener === undefined) return []
  const open = await findOpenLikeNotification(db, { userId: video.userId, videoId: video.id })
  if (open) {
    const sourceCount = open.sourceCount + 1
    const message = `${sourceCount} people liked "${video.title}"`
    await updateLikeNotification(db, {
      id: open.id,
      sourceCount,
      sourceUserId: actor.id,
      message,
    })
  } else {
    await insertNotifications(db, [
      {
        userId: video.userId,
        type: 'like',
        kind: 'likes',
        title: 'New like',
        message: `${actor.displayName} liked "${video.title}"`,
        sourceUserId: actor.id,
        videoId: video.id,
        ...groupOf('likes', { about: { videoId: video.id }, text: `liked "${video.title}"` }),
      },
    ])
  }
  return [video.userId]
}

/** To subscribers, once per video and squad, never for an anonymous one. */
export async function notifyOfUpload(
  db: DatabaseTransaction,
  input: { video: Titled & { userId: number; isAnonymous: Flag }; isAnew?: boolean },
): Promise<number[]> {
  const { video, isAnew } = input
  if (video.isAnonymous === 1 || !(await videoIsAnnounced(db, video.id))) return []
  if (isAnew) await deleteAnnouncedUpload(db, video)
  const act = { kind: 'upload', actorId: video.userId, targetId: video.id } as const
  if (!(await insertAnnouncedAct(db, act))) return []
  return announceVideo(db, video.id)
}

/** To newly named members, without the owner of an anonymous video. */
export async function notifyOfShare(
  db: DatabaseTransaction,
  input: {
    video: Titled & { isAnonymous: Flag }
    owner: Author
    added: number[]
    removed: number[]
  },
): Promise<number[]> {
  const { video, owner, added, removed } = input
  const recipients = [...added, ...removed]
  await deleteShareNotifications(db, { videoId: video.id, userIds: recipients })
  const isNamed = video.isAnonymous === 0
  const rows = added.map(
    (userId): NewNotification => ({
      userId,
      type: 'upload',
      title: `${isNamed ? owner.displayName : 'Somebody'} shared a private video with you`,
      message: video.title,
      sourceUserId: isNamed ? owner.id : null,
      videoId: video.id,
    }),
  )
  await insertForListening(db, { kind: 'shares', rows })
  return recipients
}

/** Notifies the owner of new inbox items. A notification that is still unread is updated. */
export async function notifyOfRecordings(
  db: DatabaseTransaction,
  { userId, waiting }: { userId: number; waiting: number },
): Promise<number[]> {
  const text = waiting === 1 ? '1 recording waits' : `${waiting} recordings wait`
  const message = `${text} in your inbox.`
  const open = await findUnreadRecordings(db, userId)
  if (open) await updateMessage(db, { id: open.id, message })
  else {
    const title = 'New recordings'
    const row = { userId, type: 'upload', title, message, sourceUserId: null } as const
    // Each key is unique, because two of these notifications have no common text.
    const groupKey = `${INBOX_GROUP} ${timestamp()}`
    await insertNotifications(db, [{ ...row, groupKey, groupText: title }])
  }
  return [userId]
}

/** @throws `not-found`, also for another member's */
export async function markRead(db: Database, input: { id: number; viewer: Viewer }) {
  const notification = await findNotification(db, input)
  if (!notification) throw new AppError('not-found', NO_SUCH_NOTIFICATION)
  await updateRead(db, { id: input.id, userId: input.viewer.id })
  return { ...notification, read: true }
}

/** @throws `not-found`, also for another member's */
export async function removeNotification(db: Database, input: { id: number; viewer: Viewer }) {
  const deleted = await deleteNotification(db, { id: input.id, userId: input.viewer.id })
  if (!deleted) throw new AppError('not-found', NO_SUCH_NOTIFICATION)
}

/**
 * Marks a notification as read, with all earlier ones of its group.
 * @returns how many were marked
 * @throws `not-found`, also for another member's
 */
export async function markGroupRead(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<number> {
  const { id, userId, groupKey } = await requireGroup(db, input)
  if (groupKey !== null) return updateGroupRead(db, { userId, groupKey, lastId: id })
  await updateRead(db, { id, userId })
  return 1
}

/**
 * Deletes a notification, with all earlier ones of its group.
 * @returns how many were deleted
 * @throws `not-found`, also for another member's
 */
export async function removeGroup(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<number> {
  const { id, userId, groupKey } = await requireGroup(db, input)
  if (groupKey !== null) return deleteGroup(db, { userId, groupKey, lastId: id })
  await deleteNotification(db, { id, userId })
  return 1
}

async function requireGroup(db: Database, { id, viewer }: { id: number; viewer: Viewer }) {
  const found = await findGroupKey(db, { id, userId: viewer.id })
  if (!found) throw new AppError('not-found', NO_SUCH_NOTIFICATION)
  return { ...found, id, userId: viewer.id }
}
