/** Notifies subscribers and members of squads. It works in steps, because a channel may have very many subscribers. */
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
  insertToSquad,
  insertToSubscribers,
  listSquadMembersAfter,
  listSubscribersAfter,
  TAKING_BACK,
  type ToSquad,
  type ToSubscribers,
} from './announcement.queries.ts'
import { excerpt } from './excerpt.ts'
import { groupOf } from './group.ts'

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
    const { channelId } = post
    return tellSubscribers(db, place, {
      channelId,
      ...groupOf('posts', { about: { channelId }, text: 'posted' }),
      kind: 'posts',
      type: 'subscription',
      title: `New post from ${post.displayName}`,
      message: excerpt(post.content),
      postId: place.targetId,
      squadId: post.squadId,
    })
  },
}

export const tellSquadOfVideo: LongWork = {
  kind: 'tell-squad-of-video',
  async step(db, place) {
    const video = await findVideoToAnnounce(db, place.targetId)
    if (!video?.squadName || video.squadId === null || video.visibility !== 'private') return DONE
    const { squadId, squadName } = video
    return tellSquad(db, place, {
      ...{ squadId, squadName, authorId: video.channelId },
      type: 'upload',
      title: `${video.displayName} published a video in ${squadName}`,
      message: video.title,
      videoId: place.targetId,
    })
  },
}

export const tellSquadOfPost: LongWork = {
  kind: 'tell-squad-of-post',
  async step(db, place) {
    const post = await findPostToAnnounce(db, place.targetId)
    if (!post?.squadName || post.squadId === null) return DONE
    const { squadId, squadName, displayName, shownVideoId } = post
    const isSent = post.clipId !== null
    return tellSquad(db, place, {
      ...{ squadId, squadName, authorId: post.channelId, shownVideoId },
      type: 'subscription',
      title: `${displayName} ${isSent ? 'sent a clip to' : 'posted in'} ${squadName}`,
      message: excerpt(post.content),
      postId: place.targetId,
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

async function tellSquad(
  db: DatabaseTransaction,
  { reachedId }: Place,
  { squadName, ...message }: Omit<ToSquad, 'groupKey' | 'groupText'> & { squadName: string },
): Promise<Step> {
  const { squadId } = message
  const limit = STEP_ROWS
  const members = await listSquadMembersAfter(db, { squadId, reachedId, limit })
  const upToId = members.at(-1)
  if (upToId === undefined) return DONE
  const group = groupOf('squad', { about: { squadId }, text: `posted in ${squadName}` })
  await insertToSquad(db, { ...message, ...group, afterId: reachedId, upToId })
  // All members are returned, because open pages of the squad change too.
  return { reachedId: members.length < limit ? null : upToId, notified: members }
}

/** @returns ids of the first of these members, to notify them live */
export async function announceVideo(db: DatabaseTransaction, id: number): Promise<number[]> {
  const lastId = await findLastSubscription(db)
  return [
    ...(await beginWork(db, tellOfVideo, { targetId: id, lastId })),
    ...(await beginWork(db, tellSquadOfVideo, { targetId: id })),
  ]
}

/**
 * Announces a post for a squad to its members, and any other post to subscribers.
 * @returns ids of the first of these members, to notify them live
 */
export async function announcePost(db: DatabaseTransaction, id: number): Promise<number[]> {
  const post = await findPostToAnnounce(db, id)
  if (post?.squadId) return beginWork(db, tellSquadOfPost, { targetId: id })
  const lastId = await findLastSubscription(db)
  return beginWork(db, tellOfPost, { targetId: id, lastId })
}

/**
 * Those to followers, who do not see them any more.
 * @returns ids of the first of these members, to notify them live
 */
export async function takeBackAnnouncement(
  db: DatabaseTransaction,
  videoId: number,
): Promise<number[]> {
  await dropWork(db, tellOfVideo, videoId)
  await dropWork(db, tellSquadOfVideo, videoId)
  const lastId = await findLastNotification(db)
  return beginWork(db, takeBackVideo, { targetId: videoId, lastId })
}
