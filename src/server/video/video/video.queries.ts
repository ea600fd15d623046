import { type RawBuilder, type SqlBool, sql, type UpdateObject } from 'kysely'
import { isSubscribedTo } from '#server/account/user/user.queries.ts'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { foldText } from '#server/platform/db/words.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Category } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { likeOf } from '../like/like.queries.ts'
import { addressKey } from './media-address.ts'
import {
  canManage,
  canSeeOwner,
  isAnnouncedVideo,
  isPublicVideo,
  isPublishedVideo,
  isVisibleVideo,
} from './video.access.ts'

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
  'videos.preview',
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
  'videos.withheld',
  'videos.visibility',
  'videos.allowsDownload',
  'videos.allowsClips',
  'videos.allowsClipVideos',
  'videos.allowsReactions',
  'videos.downloadCount',
  'videos.expiresAt',
  'videos.expiryAction',
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

const SQUAD_COLUMNS = [
  'squads.id as squadId',
  'squads.name as squadName',
  'squads.tag as squadTag',
  'squads.colour as squadColour',
  'squads.emblem as squadEmblem',
  'squads.deletedAt as squadDeletedAt',
] as const

export function selectVideos(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .leftJoin('squads', 'squads.id', 'videos.squadId')
    .select(VIDEO_COLUMNS)
    .select(CHANNEL_COLUMNS)
    .select(SQUAD_COLUMNS)
    .select(likeOf('video', viewer).as('like'))
    .select(isSubscribedTo(viewer).as('isSubscribed'))
}

/** SQL: not 'not interested'. */
export function isNotHidden(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return sql`TRUE`
  return sql`NOT EXISTS (
    SELECT 1 FROM "hiddenVideos"
    WHERE "hiddenVideos"."userId" = ${viewer.id} AND "hiddenVideos"."videoId" = "videos"."id"
  )`
}

/** SQL: as in a partial index. */
export const waitsForApproval: RawBuilder<SqlBool> = sql`(
  "videos"."contentApproved" = 0 AND "videos"."rejectionReason" IS NULL AND "videos"."withheld" IS NULL
  AND "users"."bannedAt" IS NULL
)`

type VideoSelection = Awaited<ReturnType<ReturnType<typeof selectVideos>['execute']>>[number]

const selectVideo = compiledOnce((db, input: Asking & { id: number }) =>
  selectVideos(db, input)
    .where('videos.id', '=', input.id)
    .where(isVisibleVideo(input.viewer))
    .compile(),
)

export async function findVideo(
  db: Database,
  { id, viewer }: Asking & { id: number },
): Promise<Video | undefined> {
  const [row] = await selectVideo(db, { id, viewer })
  return row && toVideo(row, viewer)
}

/** Returns the video as visitors see it, or undefined unless everybody can find it in lists. */
export async function findPublicVideo(db: Database, id: number): Promise<Video | undefined> {
  const row = await selectVideos(db, { viewer: undefined })
    .where('videos.id', '=', id)
    .where(isPublicVideo)
    .executeTakeFirst()
  return row && toVideo(row, undefined)
}

const selectOwner = compiledOnce((db, input: Asking & { id: number }) =>
  db
    .selectFrom('videos')
    .select(['videos.id', 'videos.userId', 'videos.isAnonymous', 'videos.title', 'videos.duration'])
    .select(['videos.commentsOff', 'videos.contentApproved', 'videos.rejectionReason'])
    .select(['videos.withheld', 'videos.resubmissionCount', 'videos.visibility', 'videos.squadId'])
    .select(['videos.category', 'videos.allowsReactions'])
    .select(sql<Flag>`${isPublishedVideo}`.as('isPublished'))
    .where('videos.id', '=', input.id)
    .where(isVisibleVideo(input.viewer))
    .compile(),
)

export async function findVideoOwner(db: Database, { id, viewer }: Asking & { id: number }) {
  const [row] = await selectOwner(db, { id, viewer })
  return row
}

export async function videoIsVisible(db: Database, input: Asking & { id: number }) {
  return (await findVideoOwner(db, input)) !== undefined
}

/** `isPublic`: for shared caches. */
export async function findMediaFile(
  db: Database,
  input: Asking & { addressKey: string; name: string },
) {
  return db
    .selectFrom('videos')
    .select(['videos.id', 'videos.mediaKey', 'videos.videoUrl', 'videos.thumbnailUrl'])
    .select(sql<Flag>`${isPublicVideo}`.as('isPublic'))
    .select(
      sql<Flag>`EXISTS (
        SELECT 1 FROM "mediaFiles" WHERE "mediaFiles"."videoId" = "videos"."id" AND "mediaFiles"."name" = ${input.name}
      )`.as('isListed'),
    )
    .where(addressKey, '=', input.addressKey)
    .where(isVisibleVideo(input.viewer))
    .executeTakeFirst()
}

export function toVideo(row: VideoSelection, viewer: Viewer | undefined): Video {
  const named = canSeeOwner(row, viewer)
  const manages = canManage(row, viewer)
  return {
    id: row.id,
    userId: named ? row.userId : null,
    title: row.title,
    description: row.description,
    videoUrl: row.videoUrl,
    hlsUrl: row.hlsUrl,
    thumbnailUrl: row.thumbnailUrl,
    cardUrl: row.cardUrl,
    preview: row.preview,
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
    rejectionReason: manages ? row.rejectionReason : null,
    withheld: manages ? row.withheld : null,
    channel: named ? toChannel(row) : null,
    visibility: row.visibility,
    squad: toSquad(row),
    allowsDownload: row.allowsDownload === 1,
    allowsClips: row.allowsClips === 1,
    allowsClipVideos: row.allowsClipVideos === 1,
    allowsReactions: row.allowsReactions === 1,
    downloadCount: manages ? row.downloadCount : null,
    expiry: manages ? toExpiry(row) : null,
    myRating: row.like,
  }
}

function toSquad(row: VideoSelection): Video['squad'] {
  const { squadId: id, squadName: name, squadTag: tag, squadColour: colour } = row
  const { squadEmblem: emblem, squadDeletedAt } = row
  if (id === null || name === null || tag === null || colour === null || emblem === null)
    return null
  return row.visibility === 'private' && squadDeletedAt === null
    ? { id, name, tag, colour, emblem }
    : null
}

function toExpiry({ expiresAt, expiryAction }: VideoSelection): Video['expiry'] {
  return expiresAt && expiryAction ? { at: expiresAt, action: expiryAction } : null
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

export type VideoChange = UpdateObject<Schema, 'videos'>

export async function updateVideo(db: Database, input: { id: number; change: VideoChange }) {
  const { title, visibility, squadId } = input.change
  const folded = typeof title === 'string' ? { foldedTitle: foldText(title) } : {}
  // Setting only the visibility removes the squad.
  const squad = visibility !== undefined && squadId === undefined ? { squadId: null } : {}
  const change = { ...input.change, ...folded, ...squad }
  await db.updateTable('videos').set(change).where('id', '=', input.id).execute()
}

export async function videoIsAnnounced(db: DatabaseTransaction, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('id', '=', id)
    .where(isAnnouncedVideo)
    .executeTakeFirst()
  return row !== undefined
}

const ADDRESSES = [
  'videoUrl',
  'thumbnailUrl',
  'hlsUrl',
  'storyboardUrl',
  'shareUrl',
  'cardUrl',
] as const

/** The old ones end. */
export async function moveAddresses(
  db: Database,
  input: { id: number; addressKey: string },
): Promise<void> {
  const [before, after] = [sql`'/media/' || ${addressKey} || '/'`, `/media/${input.addressKey}/`]
  const moved = ADDRESSES.map((column) => [
    column,
    sql<string | null>`replace(${sql.ref(column)}, ${before}, ${after})`,
  ])
  await db
    .updateTable('videos')
    .set({ ...Object.fromEntries(moved), addressKey: input.addressKey })
    .where('id', '=', input.id)
    .execute()
}

const selectListed = compiledOnce((db, input: Asking & { ids: number[] }) =>
  selectVideos(db, input)
    .where(sql<SqlBool>`"videos"."id" IN ${listOf(input.ids)}`)
    .where(isVisibleVideo(input.viewer))
    .compile(),
)

export async function listVideosById(db: Database, { ids, viewer }: Asking & { ids: number[] }) {
  if (ids.length === 0) return []
  const rows = await selectListed(db, { ids, viewer })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids
    .map((id) => byId.get(id))
    .filter((row) => row !== undefined)
    .map((row) => toVideo(row, viewer))
}
