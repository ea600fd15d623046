/** To subscribers, of whom a channel may have very many. */
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Place } from '#server/platform/long-work/long-work.queries.ts'
import {
  beginWork,
  dropWork,
  type LongWork,
  STEP_ROWS,
  type Step,
} from '#server/platform/long-work/long-work.service.ts'
import {
  deleteUploadNotifications,
  findLastNotification,
  findLastSubscription,
  findPostToAnnounce,
  findVideoToAnnounce,
  insertToSubscribers,
  listSubscribersAfter,
  TAKING_BACK,
  type ToSubscribers,
} from './announcement.queries.ts'
import { excerpt } from './excerpt.ts'

const DONE: Step = { reachedId: null, notified: [] }

export const tellOfVideo: LongWork = {
  kind: 'tell-of-video',
  async step(db, place) {
    const video = await findVideoToAnnounce(db, place.targetId)
    if (!video) return DONE
    return tellSubscribers(db, place, {
      channelId: video.channelId,
      kind: 'videos',
      type: 'upload',
      title: `New video from ${video.displayName}`,
      message: video.title,
      videoId: place.targetId,
      squadId: video.visibility === 'private' ? video.squadId : null,
    })
  },
}

export const tellOfPost: LongWork = {
  kind: 'tell-of-post',
  async step(db, place) {
    const post = await findPostToAnnounce(db, place.targetId)
    if (!post) return DONE
    return tellSubscribers(db, place, {
      channelId: post.channelId,
      kind: 'posts',
      type: 'subscription',
      title: `New post from ${post.displayName}`,
      message: excerpt(post.content),
      postId: place.targetId,
      squadId: post.squadId,
    })
  },
}

export const takeBackVideo: LongWork = {
  kind: TAKING_BACK,
  async step(db, { targetId, lastId }) {
    const limit = STEP_ROWS
    const some = { videoId: targetId, lastId: lastId ?? 0, limit }
    const notified = await deleteUploadNotifications(db, some)
    return { reachedId: notified.length < limit ? null : 0, notified }
  },
}

async function tellSubscribers(
  db: DatabaseTransaction,
  { reachedId, lastId }: Place,
  message: ToSubscribers,
): Promise<Step> {
  const { channelId } = message
  const limit = STEP_ROWS
  const next = await listSubscribersAfter(db, { channelId, reachedId, limit })
  const upToId = next.at(-1)?.subscriberId
  if (upToId === undefined) return DONE
  const part = { afterId: reachedId, upToId, lastId: lastId ?? 0 }
  const notified = await insertToSubscribers(db, { ...message, ...part })
  return { reachedId: next.length < limit ? null : upToId, notified }
}

/** @returns the first of them, to notify live */
export async function announceVideo(db: DatabaseTransaction, id: number): Promise<number[]> {
  const lastId = await findLastSubscription(db)
  return beginWork(db, tellOfVideo, { targetId: id, lastId })
}

/** @returns the first of them, to notify live */
export async function announcePost(db: DatabaseTransaction, id: number): Promise<number[]> {
  const lastId = await findLastSubscription(db)
  return beginWork(db, tellOfPost, { targetId: id, lastId })
}

/**
 * Those to followers, who do not see them any more.
 * @returns the first of them, to notify live
 */
export async function takeBackAnnouncement(
  db: DatabaseTransaction,
  videoId: number,
): Promise<number[]> {
  await dropWork(db, tellOfVideo, videoId)
  const lastId = await findLastNotification(db)
  return beginWork(db, takeBackVideo, { targetId: videoId, lastId })
}
