import { join } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import { DATABASE_FILE, openDatabase } from '#server/platform/db/open.ts'
import { syncFile } from '#server/platform/durable-files.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { fileIn } from '#server/video/video/media-address.ts'
import { updateVideo } from '#server/video/video/video.queries.ts'
import { listVideosByKey } from '#server/video/video/video-rows.queries.ts'
import { listMediaKeys, listNamedFiles } from '../site-check/named-files.ts'
import { listStoredMedia } from './backup-media.ts'

const VIDEOS_AT_A_TIME = 500

export async function markLostMedia(folder: string, media: MediaStore): Promise<string[]> {
  const db = openDatabase(folder)
  try {
    const stored = await listStoredMedia(media, await listMediaKeys(db))
    const found = new Set(stored.map(({ path }) => path))
    const named = await listNamedFiles(db)
    const lost = new Set(named.map(({ path }) => path).filter((path) => !found.has(path)))
    if (lost.size > 0) await markVideos(db, lost)
    return [...lost]
  } finally {
    await db.destroy()
    await syncFile(join(folder, DATABASE_FILE))
  }
}

async function markVideos(db: Database, lost: ReadonlySet<string>): Promise<void> {
  for (let afterKey: string | undefined = ''; afterKey !== undefined; ) {
    const videos = await listVideosByKey(db, { afterKey, limit: VIDEOS_AT_A_TIME })
    for (const { id, mediaKey, videoUrl } of videos) {
      if (!lost.has(`${mediaKey}/${fileIn(videoUrl)}`)) continue
      await updateVideo(db, { id, change: { videoFileExists: 0 } })
    }
    afterKey = videos.at(-1)?.mediaKey
  }
}
