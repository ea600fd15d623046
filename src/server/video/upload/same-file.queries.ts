import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { sampledChunks } from '#shared/sampled-chunks.ts'
import type { ComparedFile } from '#shared/schemas/upload.schemas.ts'
import { isListedOrOwnVideo } from '../video/video.access.ts'
import { chunkCountOf } from './chunk-store.ts'

type SameVideo = { videoId: number; title: string; isOwn: boolean }

/**
 * Compares length and sampled chunks; own videos first; only visible ones, to reveal no other. See
 * docs/decisions/0031-duplicates-by-chunk-hashes.md.
 */
export async function findSameVideo(
  db: Database,
  { file, viewer }: { file: ComparedFile; viewer: Viewer },
): Promise<SameVideo | null> {
  const indexes = sampledChunks(chunkCountOf(file.fileSize))
  if (indexes.length !== file.hashes.length) return null
  let query = db
    .selectFrom('videos')
    .innerJoin('uploads', 'uploads.id', 'videos.uploadId')
    .select(['videos.id as videoId', 'videos.title', 'videos.userId'])
    .where('uploads.fileSize', '=', file.fileSize)
    .where('videos.processingState', '<>', 'failed')
    .where(isListedOrOwnVideo(viewer))
  for (const [position, chunkIndex] of indexes.entries()) {
    const hash = Buffer.from(file.hashes[position] ?? '', 'hex')
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('uploadChunks')
          .select('uploadChunks.uploadId')
          .whereRef('uploadChunks.uploadId', '=', 'uploads.id')
          .where('uploadChunks.chunkIndex', '=', chunkIndex)
          .where('uploadChunks.hash', '=', hash),
      ),
    )
  }
  const own = (row: { userId: number }) => row.userId === viewer.id
  const rows = await query.orderBy('videos.id').execute()
  const found = rows.find(own) ?? rows[0]
  return found ? { videoId: found.videoId, title: found.title, isOwn: own(found) } : null
}
