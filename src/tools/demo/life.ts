import { groupOf } from '#server/community/notification/group.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { NotificationType } from '#server/platform/db/tables/community.ts'
import { HEAT_SLICES } from '#server/video/view/heat.ts'
import { makeComments, type SeedComment } from '#tools/seed/comments.ts'
import type { SeedMember } from '#tools/seed/members.ts'
import { createRandom, type Random } from '#tools/seed/random.ts'
import { makeCommentLikes, type SeedLike, type SeedSubscription } from '#tools/seed/reactions.ts'
import { stamp } from '#tools/seed/row-inserts.ts'
import type { SeedVideo } from '#tools/seed/videos.ts'
import { addToPlaylists, type List } from './playlists.ts'

/** `until` is the end of the site's history in Unix milliseconds. */
export type Community = {
  members: SeedMember[]
  subscriptions: SeedSubscription[]
  until: number
  seed: number
}

const DAY_MS = 86_400_000
const UNREAD_DAYS = 1.5
const NOTIFIED_DAYS = 30
const SOURCES = ['site', 'direct', 'search', 'external', 'embed'] as const

/**
 * Gives an uploaded video its history: date, views, likes, comments, notifications and playlists.
 * The video waits for approval until then, so that nobody sees it without.
 */
export async function livePast(
  db: Database,
  video: SeedVideo,
  { community, lists }: { community: Community; lists: List[] },
): Promise<void> {
  const random = createRandom(community.seed, `life of ${video.title}`)
  await inTransaction(db, async (transaction) => {
    const likes = video.isApproved ? makeLikes(video, community, random) : []
    await transaction
      .updateTable('videos')
      .set({
        ...countOf(likes),
        publishedAt: stamp(video.publishedAt),
        contentApproved: video.isApproved ? 1 : 0,
        viewCount: video.viewCount,
      })
      .where('id', '=', video.id)
      .execute()
    if (!video.isApproved) return
    await insertLikes(transaction, likes, { videoId: video.id })
    await insertViews(transaction, { video, until: community.until }, random)
    await insertHeat(transaction, video, random)
    await insertHistory(transaction, video, community, random)
    await tellSubscribers(transaction, video, community)
    await insertComments(transaction, video, community, random)
    await addToPlaylists(transaction, video, lists)
  })
}

function makeLikes(
  { owner, viewCount, publishedAt }: SeedVideo,
  { members, until }: Community,
  random: Random,
): SeedLike[] {
  const share = Math.min(0.85, 0.2 + viewCount / 400)
  return members
    .filter((member) => member !== owner && random.chance(share))
    .map((member) => ({
      member,
      isLike: random.chance(0.05) ? 0 : 1,
      createdAt: Math.floor(publishedAt + random.fraction() ** 3 * (until - publishedAt)),
    }))
}

function countOf(likes: SeedLike[]): { likeCount: number; dislikeCount: number } {
  const likeCount = likes.filter(({ isLike }) => isLike === 1).length
  return { likeCount, dislikeCount: likes.length - likeCount }
}

async function insertLikes(
  db: DatabaseTransaction,
  likes: SeedLike[],
  target: { videoId: number } | { commentId: number },
): Promise<void> {
  if (likes.length === 0) return
  const rows = likes.map(({ member, isLike, createdAt }) => ({
    ...{ ...target, isLike },
    userId: member.id,
    createdAt: stamp(createdAt),
  }))
  await db.insertInto('likes').values(rows).execute()
}

/** Views decrease over the days and add up to `viewCount`. */
async function insertViews(
  db: DatabaseTransaction,
  { video, until }: { video: SeedVideo; until: number },
  random: Random,
): Promise<void> {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const days: string[] = []
  for (let time = video.publishedAt; time < until; time += DAY_MS) days.push(dayOf(time))
  const weights = days.map((_, age) => (0.6 + random.fraction()) / (age + 1.5))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let left = video.viewCount
  for (const [index, day] of days.entries()) {
    const isLast = index === days.length - 1
    const share = Math.round((video.viewCount * (weights[index] as number)) / sum)
    const count = isLast ? left : Math.min(left, share)
    if (count === 0) continue
    left -= count
    const { id: videoId, duration } = video
    await db.insertInto('dailyViews').values({ day, videoId, count }).execute()
    const watchSeconds = Math.round(count * duration * (0.5 + random.fraction() * 0.4))
    await db
      .insertInto('videoDays')
      .values({ videoId, day, watchSeconds })
      .onConflict((conflict) => conflict.columns(['videoId', 'day']).doUpdateSet({ watchSeconds }))
      .execute()
    const source = random.pick(SOURCES)
    await db.insertInto('videoSources').values({ videoId, day, source, views: count }).execute()
  }
}

/** Everybody sees the beginning, some leave, and the highlight is watched again. */
async function insertHeat(
  db: DatabaseTransaction,
  { id: videoId, viewCount, duration }: SeedVideo,
  random: Random,
): Promise<void> {
  const moment = HEAT_SLICES * (0.45 + 0.35 * random.fraction())
  const second = duration / HEAT_SLICES
  const rows = Array.from({ length: HEAT_SLICES }, (_, slice) => {
    const stays = 1 - 0.5 * (slice / HEAT_SLICES)
    const again = 1.1 * Math.exp(-(((slice - moment) / 7) ** 2))
    const share = stays + again + 0.08 * random.fraction()
    return { videoId, slice, seconds: Math.round(viewCount * second * share * 100) / 100 }
  })
  await db.insertInto('heat').values(rows).execute()
}

async function insertHistory(
  db: DatabaseTransaction,
  { id: videoId, duration, publishedAt, owner }: SeedVideo,
  { members, until }: Community,
  random: Random,
): Promise<void> {
  const rows = members
    .filter((member) => member !== owner && random.chance(0.3))
    .map(({ id: userId }) => ({
      ...{ userId, videoId },
      positionSeconds: random.chance(0.6) ? duration : Math.floor(duration * random.fraction()),
      watchedAt: stamp(publishedAt + random.fraction() ** 2 * (until - publishedAt)),
    }))
  if (rows.length > 0) await db.insertInto('history').values(rows).execute()
}

async function tellSubscribers(
  db: DatabaseTransaction,
  { id: videoId, title, owner, publishedAt, isAnonymous }: SeedVideo,
  community: Community,
): Promise<void> {
  if (isAnonymous) return
  for (const { subscriber, channel, createdAt } of community.subscriptions) {
    if (channel !== owner || createdAt > publishedAt) continue
    await notify(db, community, {
      userId: subscriber.id,
      type: 'upload',
      title: `${owner.displayName} uploaded a video`,
      message: title,
      ...{ sourceUserId: owner.id, videoId, commentId: null, time: publishedAt },
    })
  }
}

async function insertComments(
  db: DatabaseTransaction,
  video: SeedVideo,
  community: Community,
  random: Random,
): Promise<void> {
  const { members, until } = community
  const count = Math.min(18, Math.round(Math.sqrt(video.viewCount) * (0.3 + random.fraction())))
  const latest = await db
    .selectFrom('comments')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const firstId = (latest?.id ?? 0) + 1
  const comments = makeComments({ video, members, count, firstId, until }, random)
  for (const comment of comments) {
    const likes = makeCommentLikes(comment, community, random)
    const { id, content, parentId, author, createdAt } = comment
    await db
      .insertInto('comments')
      .values({
        ...{ id, content, parentId, videoId: video.id, userId: author.id },
        ...countOf(likes),
        createdAt: stamp(createdAt),
        isHearted: parentId === null && author !== video.owner && random.chance(0.15) ? 1 : 0,
      })
      .execute()
    await insertLikes(db, likes, { commentId: id })
    await tellOfComment(db, community, { video, comment, comments })
  }
}

async function tellOfComment(
  db: DatabaseTransaction,
  community: Community,
  input: { video: SeedVideo; comment: SeedComment; comments: SeedComment[] },
): Promise<void> {
  const { video, comment, comments } = input
  const { author, content, parentId, createdAt: time } = comment
  const answered = comments.find(({ id }) => id === parentId)?.author
  const told = answered ?? video.owner
  if (told === author) return
  await notify(db, community, {
    userId: told.id,
    type: answered ? 'comment_reply' : 'video_comment',
    title: answered ? `${author.displayName} replied to you` : `New comment on "${video.title}"`,
    message: answered ? content : `${author.displayName}: ${content}`,
    ...{ sourceUserId: author.id, videoId: video.id, commentId: comment.id, time },
    ...groupOf(answered ? 'replies' : 'comments', {
      about: { videoId: video.id },
      text: answered ? 'replied to you' : `commented on "${video.title}"`,
      at: stamp(time),
    }),
  })
}

async function notify(
  db: DatabaseTransaction,
  { until }: Community,
  {
    time,
    ...row
  }: {
    userId: number
    type: NotificationType
    title: string
    message: string
    sourceUserId: number
    videoId: number
    commentId: number | null
    groupKey?: string
    groupText?: string
    time: number
  },
): Promise<void> {
  const days = (until - time) / DAY_MS
  if (days > NOTIFIED_DAYS) return
  const read = days > UNREAD_DAYS ? 1 : 0
  await db
    .insertInto('notifications')
    .values({ ...row, read, createdAt: stamp(time) })
    .execute()
}
