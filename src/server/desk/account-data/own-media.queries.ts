import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'

type Batch = { userId: number; afterId: number; limit: number }

export async function listOwnVideos(db: Database, { userId, afterId, limit }: Batch) {
  return db
    .selectFrom('videos')
    .leftJoin('uploads', 'uploads.id', 'videos.uploadId')
    .select(['videos.id', 'videos.title', 'videos.description', 'videos.mediaKey'])
    .select(['videos.videoUrl', 'videos.thumbnailUrl', 'videos.category', 'videos.tags'])
    .select(['videos.visibility', 'videos.squadId', 'videos.isAnonymous', 'videos.duration'])
    .select(['videos.width', 'videos.height', 'videos.publishedAt', 'videos.expiresAt'])
    .select(['videos.expiryAction', 'videos.viewCount', 'videos.likeCount'])
    .select(['videos.dislikeCount', 'videos.downloadCount', 'videos.storageBytes'])
    .select(['videos.allowsDownload', 'videos.allowsClips', 'videos.allowsClipVideos'])
    .select(['videos.allowsReactions', 'videos.commentsOff', 'videos.discordEmbed'])
    .select(['videos.processingState', 'videos.processingError', 'videos.contentApproved'])
    .select(['videos.rejectionReason', 'uploads.fileName'])
    .where('videos.userId', '=', userId)
    .where('videos.processingState', '<>', 'deleting')
    .where('videos.id', '>', afterId)
    .orderBy('videos.id')
    .limit(limit)
    .execute()
}

export async function countOwnVideos(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('videos')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirstOrThrow()
  return count
}

/** Moments of the recording, and the member's own marks. */
export async function listMomentsOf(db: Database, input: { videoId: number; userId: number }) {
  return db
    .selectFrom('moments')
    .select(['source', 'atSeconds', 'title', 'createdAt'])
    .where('videoId', '=', input.videoId)
    .where((eb) => eb.or([eb('userId', 'is', null), eb('userId', '=', input.userId)]))
    .orderBy('atSeconds')
    .execute()
}

/** `mediaKey` is null if the member may no longer see the video. */
export async function listOwnClips(
  db: Database,
  { afterId, limit, viewer }: Omit<Batch, 'userId'> & { viewer: Viewer },
) {
  return db
    .selectFrom('clips')
    .leftJoin('videos', (join) =>
      join.onRef('videos.id', '=', 'clips.videoId').on(isVisibleVideo(viewer)),
    )
    .select(['clips.id', 'clips.videoId', 'clips.title', 'clips.startSeconds', 'clips.endSeconds'])
    .select(['clips.createdAt', 'clips.viewCount', 'clips.likeCount'])
    .select(['clips.shareFile', 'clips.pictureFile', 'videos.title as videoTitle'])
    .select('videos.mediaKey')
    .where('clips.userId', '=', viewer.id)
    .where('clips.id', '>', afterId)
    .orderBy('clips.id')
    .limit(limit)
    .execute()
}

/** The media folders of an export whose videos the member may see. */
export async function listVisibleKeys(
  db: Database,
  { exportId, viewer }: { exportId: number; viewer: Viewer },
): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('videos.mediaKey')
    .where(
      'videos.mediaKey',
      'in',
      sql<string>`(SELECT "mediaKey" FROM "dataExportFiles" WHERE "exportId" = ${exportId})`,
    )
    .where(isVisibleVideo(viewer))
    .execute()
  return rows.map(({ mediaKey }) => mediaKey)
}
