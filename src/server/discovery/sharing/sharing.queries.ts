import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { isPublicVideo, isVisibleVideo } from '#server/video/video/video.access.ts'
import { PLAYED_BY_CHATS_BYTES_MAX, SHARE_FILE_SHORT_SIDE_MAX } from '#shared/limits.ts'

/** Names nobody for an anonymous video. */
export type SharedVideo = {
  id: number
  /** Folder below `media/`; internal. */
  mediaKey: string
  title: string
  description: string
  thumbnailUrl: string | null
  /** Null if missing. */
  videoFile: SharedFile | null
  hlsUrl: string | null
  /** Whole seconds. */
  duration: number
  /** Pixels as displayed. */
  width: number | null
  height: number | null
  publishedAt: string
  category: string
  tags: string[]
  discordEmbed: boolean
  viewCount: number
  likeCount: number
  isPublic: boolean
  /** Listed, and open to search engines. */
  isListed: boolean
  channel: { id: number; displayName: string } | null
  share: SharedFile | null
  /**
   * `share`, or until then the video if small enough, even above 720p: chats look once, when the
   * link is posted.
   */
  playable: SharedFile | null
}
type SharedFile = { url: string; bytes: number | null }

export async function findSharedVideo(
  db: Database,
  input: { id: number; evenHidden?: boolean },
): Promise<SharedVideo | undefined> {
  let query = selectSharedVideos(db).where('videos.id', '=', input.id)
  query = input.evenHidden
    ? query.where('videos.processingState', '<>', 'deleting')
    : query.where(isVisibleVideo(undefined))
  const row = await query.executeTakeFirst()
  return row && toSharedVideo(row)
}

export async function listSharedVideos(db: Database, ids: number[]): Promise<SharedVideo[]> {
  if (ids.length === 0) return []
  const rows = await selectSharedVideos(db)
    .where('videos.id', 'in', ids)
    .where(isPublicVideo)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids
    .map((id) => byId.get(id))
    .filter((row) => row !== undefined)
    .map(toSharedVideo)
}

function selectSharedVideos(db: Database) {
  const bytesOf = (column: 'shareUrl' | 'videoUrl') => sql<number | null>`(
    SELECT "bytes" FROM "mediaFiles" WHERE "mediaFiles"."videoId" = "videos"."id"
      AND "videos".${sql.ref(column)} = '/media/' || coalesce("videos"."addressKey", "videos"."mediaKey") || '/' || "mediaFiles"."name"
  )`
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select([
      'videos.id',
      'videos.userId',
      'videos.title',
      'videos.description',
      'videos.mediaKey',
      'videos.thumbnailUrl',
      'videos.videoUrl',
      'videos.hlsUrl',
      'videos.shareUrl',
      'videos.duration',
      'videos.width',
      'videos.height',
      'videos.publishedAt',
      'videos.category',
      'videos.tags',
      'videos.discordEmbed',
      'videos.isAnonymous',
      'videos.videoFileExists',
      'videos.viewCount',
      'videos.likeCount',
      'users.displayName',
    ])
    .select([
      sql<Flag>`${isVisibleVideo(undefined)}`.as('isPublic'),
      sql<Flag>`${isPublicVideo}`.as('isListed'),
      bytesOf('shareUrl').as('shareBytes'),
      bytesOf('videoUrl').as('videoBytes'),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectSharedVideos>['execute']>>[number]

function toSharedVideo(row: Row): SharedVideo {
  const { userId, displayName, isAnonymous, videoFileExists, shareUrl, shareBytes, ...rest } = row
  const { videoBytes, videoUrl, ...fields } = rest
  const fileExists = videoFileExists === 1
  const share = shareUrl === null ? null : { url: shareUrl, bytes: shareBytes }
  const videoFile = videoUrl === null ? null : { url: videoUrl, bytes: videoBytes }
  // Files listed before sizes were known count only if made for chats.
  const playable = [
    share && { ...share, bytes: share.bytes ?? 0 },
    maySubstitute(row) ? videoFile : null,
  ].find((file) => file && (file.bytes ?? Number.POSITIVE_INFINITY) <= PLAYED_BY_CHATS_BYTES_MAX)
  return {
    ...fields,
    videoFile: fileExists ? videoFile : null,
    tags: JSON.parse(row.tags) as string[],
    discordEmbed: row.discordEmbed === 1,
    isPublic: row.isPublic === 1,
    isListed: row.isListed === 1,
    channel: isAnonymous === 1 ? null : { id: userId, displayName },
    share,
    playable: (fileExists && playable) || null,
  }
}

/** After the ladder no better one for chats follows. */
function maySubstitute({ hlsUrl, width, height }: Row): boolean {
  return hlsUrl === null || Math.min(width ?? 0, height ?? 0) <= SHARE_FILE_SHORT_SIDE_MAX
}
