import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { writeInPassing } from '#server/platform/db/move/writable.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '../video/video.access.ts'

export async function findDownloadableVideo(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
) {
  return db
    .selectFrom('videos')
    .leftJoin('uploads', 'uploads.id', 'videos.uploadId')
    .select(['videos.id', 'videos.userId', 'videos.isAnonymous', 'videos.title'])
    .select(['videos.mediaKey', 'videos.videoUrl', 'videos.width', 'videos.height'])
    .select(['videos.allowsDownload', 'uploads.fileName'])
    .select((eb) =>
      eb
        .selectFrom('siteSettings')
        .select('siteSettings.allowsDownloads')
        .where('siteSettings.id', '=', 1)
        .$asScalar()
        .as('siteAllows'),
    )
    .where('videos.id', '=', input.id)
    .where('videos.processingState', '=', 'ready')
    .where(isVisibleVideo(input.viewer))
    .executeTakeFirst()
}

export async function listPlayableFiles(db: Database, videoId: number) {
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'kind', 'bytes'])
    .where('videoId', '=', videoId)
    .where('kind', 'in', ['video', 'rendition'])
    .where('retiredAt', 'is', null)
    .execute()
}

export async function hasSeparateSound(db: Database, videoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('soundTracks')
    .select('number')
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row !== undefined
}

export async function addDownload(db: Database, id: number): Promise<void> {
  await writeInPassing(db, async (transaction) => {
    await transaction
      .updateTable('videos')
      .set({ downloadCount: sql`"downloadCount" + 1` })
      .where('id', '=', id)
      .execute()
  })
}
