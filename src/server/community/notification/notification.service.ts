/**
 * Who is notified of what. Each function runs inside the transaction of the act itself and answers the
 * users to wake through the live feed once that transaction is committed.
 */

import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedForMembers } from '#server/video/video/video.queries.ts'
import { excerpt } from './excerpt.ts'
import {
  deleteNotification,
  deleteShareNotifications,
  findDisplayName,
  findNotification,
  findOpenLikeNotification,
  insertAnnouncedAct,
  insertNotifications,
  insertToSubscribers,
  type NewNotification,
  updateLikeNotification,
  updateRead,
} from './notification.queries.ts'

const NO_SUCH_NOTIFICATION = 'There is no such notification.'

type Titled = { id: number; title: string }
type Author = Pick<Viewer, 'id' | 'displayName'>

/** A top comment: sent to the owner of the video, or to whoever made the clip. */
export async function notifyOfComment(
  db: DatabaseTransaction,
  input: {
    actor: Author
    video: Titled & { userId: number }
    clip?: { userId: number; title: string } | undefined
    commentId: number
    content: string
  },
): Promise<number[]> {
  const { actor, video, commentId, content } = input
  const { userId, title } = input.clip ?? video
  if (userId === actor.id) return []
  const notification: NewNotification = {
    userId,
    type: 'video_comment',
    title: `New comment on "${title}"`,
    message: `${actor.displayName}: ${excerpt(content)}`,
    sourceUserId: actor.id,
    videoId: video.id,
    commentId,
  }
  await insertNotifications(db, [notification])
  return [userId]
}

/** A reply or a mention: sent once to each of `userIds`, never to the actor. */
export async function notifyOfReply(
  db: DatabaseTransaction,
  input: {
    actor: Author
    video: Titled
    commentId: number
    content: string
    answered: number | null
    mentioned: number[]
  },
): Promise<number[]> {
  const { actor, video, commentId, content, answered, mentioned } = input
  const others = new Set([...(answered === null ? [] : [answered]), ...mentioned])
  others.delete(actor.id)
  const notified = [...others]
  await insertNotifications(
    db,
    notified.map((userId) => ({
      userId,
      type: 'comment_reply',
      title:
        userId === answered
          ? `${actor.displayName} replied to your comment`
          : `${actor.displayName} mentioned you`,
      message: excerpt(content),
      sourceUserId: actor.id,
      videoId: video.id,
      commentId,
    })),
  )
  return notified
}

/** A first subscription: sent to the channel. Subscribing again notifies nobody. */
export async function notifyOfSubscriber(
  db: DatabaseTransaction,
  input: { actor: Viewer; channelId: number },
): Promise<number[]> {
  const { actor, channelId } = input
  const act = { kind: 'new_subscriber', actorId: actor.id, targetId: channelId } as const
  if (!(await insertAnnouncedAct(db, act))) return []
  await insertNotifications(db, [
    {
      userId: channelId,
      type: 'new_subscriber',
      title: 'New subscriber',
      message: `${actor.displayName} subscribed to your channel`,
      sourceUserId: actor.id,
    },
  ])
  return [channelId]
}

/** A first like of a video: sent to its owner, together with the others of the same hour. */
export async function notifyOfLike(
  db: DatabaseTransaction,
  input: { actor: Viewer; video: Titled & { userId: number } },
): Promise<number[]> {
  const { actor, video } = input
  if (video.userId === actor.id) return []
  const act = { kind: 'like', actorId: actor.id, targetId: video.id } as const
  if (!(await insertAnnouncedAct(db, act))) return []
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
        title: 'New like',
        message: `${actor.displayName} liked "${video.title}"`,
        sourceUserId: actor.id,
        videoId: video.id,
      },
    ])
  }
  return [video.userId]
}

/**
 * A video that has just become visible to everybody: sent once to the channel's subscribers, never
 * for an anonymous one.
 */
export async function notifyOfUpload(
  db: DatabaseTransaction,
  video: Titled & { userId: number; isAnonymous: Flag },
): Promise<number[]> {
  if (video.isAnonymous === 1 || !(await isListedForMembers(db, video.id))) return []
  const act = { kind: 'upload', actorId: video.userId, targetId: video.id } as const
  if (!(await insertAnnouncedAct(db, act))) return []
  const { id: videoId, userId: channelId, title: message } = video
  const name = await findDisplayName(db, channelId)
  const title = `New video from ${name}`
  return insertToSubscribers(db, { channelId, type: 'upload', title, message, videoId })
}

/**
 * Members whom the owner of a private video named, or names no more: the new ones are sent one notification, which
 * names no anonymous owner.
 */
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
  const told = [...added, ...removed]
  await deleteShareNotifications(db, { videoId: video.id, userIds: told })
  const isNamed = video.isAnonymous === 0
  await insertNotifications(
    db,
    added.map((userId) => ({
      userId,
      type: 'upload',
      title: `${isNamed ? owner.displayName : 'Somebody'} shared a private video with you`,
      message: video.title,
      sourceUserId: isNamed ? owner.id : null,
      videoId: video.id,
    })),
  )
  return told
}

/** @throws AppError `not-found` for one that is not there or not the viewer's. */
export async function markRead(db: Database, input: { id: number; viewer: Viewer }) {
  const notification = await findNotification(db, input)
  if (!notification) throw new AppError('not-found', NO_SUCH_NOTIFICATION)
  await updateRead(db, { id: input.id, userId: input.viewer.id })
  return { ...notification, read: true }
}

/** @throws AppError `not-found` for one that is not there, not the viewer's, or deleted before. */
export async function removeNotification(db: Database, input: { id: number; viewer: Viewer }) {
  const deleted = await deleteNotification(db, { id: input.id, userId: input.viewer.id })
  if (!deleted) throw new AppError('not-found', NO_SUCH_NOTIFICATION)
}
