import { type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Category } from '#shared/limits.ts'
import type { Rating, Video } from '#shared/video.schemas.ts'
import { containsText } from '../audit/audit.queries.ts'
import type { Viewer } from '../auth/lucia.ts'
import type { Database } from '../db/database.ts'
import { decodeCursor, toPage } from '../db/paging.ts'
import type { Flag, VideosTable } from '../db/schema.ts'
import { isSubscribedTo } from '../user/user.queries.ts'
import { canManage, canSeeOwner, isPublicVideo, isVisibleVideo } from './video.access.ts'

type Asking = { viewer: Viewer | undefined }

const VIDEO_COLUMNS = [
  'videos.id',
  'videos.userId',
  'videos.title',
  'videos.description',
  'videos.videoUrl',
  'videos.hlsUrl',
  'videos.thumbnailUrl',
  'videos.cardUrl',
  'videos.storyboardUrl',
  'videos.duration',
  'videos.width',
  'videos.height',
  'videos.viewCount',
  'videos.likeCount',
  'videos.dislikeCount',
  'videos.publishedAt',
  'videos.discordEmbed',
  'videos.category',
  'videos.tags',
  'videos.contentScanned',
  'videos.contentApproved',
  'videos.commentsOff',
  'videos.isAnonymous',
  'videos.videoFileExists',
  'videos.processingState',
  'videos.processingError',
  'videos.rejectionReason',
] as const

const CHANNEL_COLUMNS = [
  'users.username',
  'users.displayName',
  'users.avatarUrl',
  'users.bannerUrl',
  'users.bio',
  'users.subscriberCount',
  'users.isAdmin',
  'users.createdAt as channelCreatedAt',
] as const

/** Videos with their channel, and what `viewer` rated and follows; every list starts from it. */
export function selectVideos(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(VIDEO_COLUMNS)
    .select(CHANNEL_COLUMNS)
    .select(ratingOfVideo(viewer).as('rating'))
    .select(isSubscribedTo(viewer).as('isSubscribed'))
}

/** SQL: the viewer did not say that the video does not interest them. */
export function isNotHidden(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return sql`TRUE`
  return sql`NOT EXISTS (
    SELECT 1 FROM hiddenVideos
    WHERE hiddenVideos.userId = ${viewer.id} AND hiddenVideos.videoId = videos.id
  )`
}

/** SQL: the video waits for an admin's word; its words are those of a partial index. */
export const waitsForApproval: RawBuilder<SqlBool> = sql`(
  videos.contentApproved = 0 AND videos.rejectionReason IS NULL AND videos.withheld IS NULL
  AND users.bannedAt IS NULL
)`

export type VideoSelection = Awaited<ReturnType<ReturnType<typeof selectVideos>['execute']>>[number]

/** Public videos, newest first, of one category or of all. */
export async function listVideos(
  db: Database,
  input: PageInput & Asking & { category?: Category | undefined },
) {
  let query = selectVideos(db, input).where(isPublicVideo).where(isNotHidden(input.viewer))
  if (input.category) query = query.where('videos.category', '=', input.category)
  return pageOf(query, input)
}

export async function findVideo(
  db: Database,
  input: Asking & { id: number },
): Promise<Video | undefined> {
  const row = await selectVideos(db, input)
    .where('videos.id', '=', input.id)
    .where(isVisibleVideo(input.viewer))
    .executeTakeFirst()
  return row && toVideo(row, input.viewer)
}

/** Who owns a video that `viewer` may see, for deciding what they may do with it, and its few other facts. */
export async function findVideoOwner(db: Database, input: Asking & { id: number }) {
  return db
    .selectFrom('videos')
    .select(['videos.id', 'videos.userId', 'videos.isAnonymous', 'videos.title', 'videos.duration'])
    .select('videos.commentsOff')
    .select(sql<Flag>`${isPublicVideo}`.as('isPublic'))
    .where('videos.id', '=', input.id)
    .where(isVisibleVideo(input.viewer))
    .executeTakeFirst()
}

export async function videoIsVisible(db: Database, input: Asking & { id: number }) {
  return (await findVideoOwner(db, input)) !== undefined
}

/** Whether a media folder offers a file to `viewer`, and whether caches may share it. */
export async function findMediaFile(
  db: Database,
  input: Asking & { mediaKey: string; name: string },
) {
  return db
    .selectFrom('videos')
    .select(['videos.id', 'videos.videoUrl', 'videos.thumbnailUrl'])
    .select(sql<Flag>`${isPublicVideo}`.as('isPublic'))
    .select(
      sql<Flag>`EXISTS (
        SELECT 1 FROM mediaFiles WHERE mediaFiles.videoId = videos.id AND mediaFiles.name = ${input.name}
      )`.as('isListed'),
    )
    .where('videos.mediaKey', '=', input.mediaKey)
    .where(isVisibleVideo(input.viewer))
    .executeTakeFirst()
}

export function toVideo(row: VideoSelection, viewer: Viewer | undefined): Video {
  const named = canSeeOwner(row, viewer)
  return {
    id: row.id,
    userId: named ? row.userId : null,
    title: row.title,
    description: row.description,
    videoUrl: row.videoUrl,
    hlsUrl: row.hlsUrl,
    thumbnailUrl: row.thumbnailUrl,
    cardUrl: row.cardUrl,
    storyboardUrl: row.storyboardUrl,
    duration: row.duration,
    width: row.width,
    height: row.height,
    viewCount: row.viewCount,
    likeCount: row.likeCount,
    dislikeCount: row.dislikeCount,
    publishedAt: row.publishedAt,
    discordEmbed: row.discordEmbed === 1,
    category: row.category as Category,
    tags: JSON.parse(row.tags) as string[],
    contentScanned: row.contentScanned === 1,
    contentApproved: row.contentApproved === 1,
    isAnonymous: row.isAnonymous === 1,
    commentsOff: row.commentsOff === 1,
    videoFileExists: row.videoFileExists === 1,
    processingState: row.processingState as Video['processingState'],
    processingError: row.processingError,
    rejectionReason: canManage(row, viewer) ? row.rejectionReason : null,
    channel: named ? toChannel(row) : null,
    myRating: row.rating,
  }
}

function toChannel(row: VideoSelection): Video['channel'] {
  return {
    id: row.userId,
    username: row.username,
    displayName: row.displayName,
    avatarUrl: row.avatarUrl,
    bannerUrl: row.bannerUrl,
    bio: row.bio,
    subscriberCount: row.subscriberCount,
    isAdmin: row.isAdmin === 1,
    createdAt: row.channelCreatedAt,
    ...(row.isSubscribed !== null && { isSubscribed: row.isSubscribed === 1 }),
  }
}

async function pageOf(query: ReturnType<typeof selectVideos>, input: PageInput & Asking) {
  let paged = query
    .orderBy('videos.publishedAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    paged = paged.where((eb) =>
      eb(eb.refTuple('videos.publishedAt', 'videos.id'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await paged.execute(), input.limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}

function ratingOfVideo(viewer: Viewer | undefined): RawBuilder<Rating | null> {
  if (!viewer) return sql`null`
  return sql`(
    SELECT iif(likes.isLike, 'like', 'dislike') FROM likes
    WHERE likes.userId = ${viewer.id} AND likes.videoId = videos.id
  )`
}

export type VideoChange = Updateable<VideosTable>

export async function updateVideo(db: Database, input: { id: number; change: VideoChange }) {
  await db.updateTable('videos').set(input.change).where('id', '=', input.id).execute()
}

/** Videos that `viewer` may see, in the order of `ids`. */
export async function listVideosById(db: Database, input: Asking & { ids: number[] }) {
  if (input.ids.length === 0) return []
  const rows = await selectVideos(db, input)
    .where(sql<SqlBool>`videos.id IN (SELECT value FROM json_each(${JSON.stringify(input.ids)}))`)
    .where(isVisibleVideo(input.viewer))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return input.ids
    .map((id) => byId.get(id))
    .filter((row) => row !== undefined)
    .map((row) => toVideo(row, input.viewer))
}

/** Public videos of the channels a member follows, newest first; anonymous ones have no channel. */
export async function listSubscribedVideos(db: Database, input: PageInput & { viewer: Viewer }) {
  const query = selectVideos(db, input)
    .where(isPublicVideo)
    .where('videos.isAnonymous', '=', 0)
    .where((eb) =>
      eb(
        'videos.userId',
        'in',
        eb
          .selectFrom('subscriptions')
          .select('channelId')
          .where('subscriberId', '=', input.viewer.id),
      ),
    )
  return pageOf(query, input)
}

/** Videos that wait for an admin's word, the oldest first. */
export async function listVideosToApprove(
  db: Database,
  input: PageInput & { q?: string | undefined; viewer: Viewer },
) {
  let query = selectVideos(db, input).where(waitsForApproval)
  if (input.q) {
    query = query.where(
      containsText(['videos.title', 'users.displayName', 'users.username'], input.q),
    )
  }
  query = query
    .where(isVisibleVideo(input.viewer))
    .orderBy('videos.publishedAt')
    .orderBy('videos.id')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('videos.publishedAt', 'videos.id'), '>', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}

/** Public videos a member likes, the latest liked first. */
export async function listLikedVideos(db: Database, input: PageInput & { viewer: Viewer }) {
  let query = selectVideos(db, input)
    .innerJoin('likes', 'likes.videoId', 'videos.id')
    .select('likes.createdAt as likedAt')
    .where('likes.userId', '=', input.viewer.id)
    .where('likes.isLike', '=', 1)
    .where(isVisibleVideo(input.viewer))
    .orderBy('likes.createdAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('likes.createdAt', 'videos.id'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.likedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}

/** Takes a video out of what a member is shown unasked. */
export async function insertHiddenVideo(
  db: Database,
  input: { userId: number; videoId: number },
): Promise<void> {
  await db
    .insertInto('hiddenVideos')
    .values(input)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteHiddenVideo(
  db: Database,
  input: { userId: number; videoId: number },
): Promise<void> {
  await db
    .deleteFrom('hiddenVideos')
    .where('userId', '=', input.userId)
    .where('videoId', '=', input.videoId)
    .execute()
}
