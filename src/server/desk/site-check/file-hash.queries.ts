import { type SqlBool, sql } from 'kysely'
import { type Database, writeQuietly } from '#server/platform/db/database.ts'
import { upsertFileHash } from '#server/platform/files/file-hash.queries.ts'
import type { MeasuredFile } from '#server/platform/files/file-hash.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { isPreviousRecording } from '#server/video/video/video-rows.queries.ts'
import { describeVideo, KINDS, listPictures } from './named-files.ts'

export type HashedFile = {
  mediaKey: string
  name: string
  /** Such as 'a rendition of video 7 "A clip"'. */
  what: string
  /** Null until first read. */
  sha256: string | null
  /** In `mediaFiles`; else in `fileHashes`. */
  isServed: boolean
}

type Key = Pick<HashedFile, 'mediaKey' | 'name'>
type Listed = Omit<HashedFile, 'sha256'>

/** Also a recording from before a cut, which can be brought back. */
const isKept = sql<SqlBool>`("videos"."processingState" <> 'deleting' OR ${isPreviousRecording})`

/** Upper bound. */
export async function countHashedFiles(db: Database): Promise<number> {
  const { rows } = await sql<{ files: number }>`
    SELECT (SELECT count(*) FROM "mediaFiles") + (SELECT count(*) FROM "videos")
      + (SELECT count("avatarUrl") + count("bannerUrl") FROM "users") AS "files"`.execute(db)
  return Number(rows[0]?.files ?? 0)
}

/**
 * By video id, with retired files and originals, which may be gone.
 * @returns empty at the end
 */
export async function listHashedFiles(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<{ files: HashedFile[]; lastId: number }> {
  const videos = await db
    .selectFrom('videos')
    .select(['id', 'title', 'mediaKey'])
    .where('id', '>', afterId)
    .where(isKept)
    .orderBy('id')
    .limit(limit)
    .execute()
  const lastId = videos.at(-1)?.id
  if (lastId === undefined) return { files: [], lastId: afterId }
  const served = await db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .select(['videos.id', 'videos.title', 'videos.mediaKey'])
    .select(['mediaFiles.name', 'mediaFiles.kind', 'mediaFiles.sha256'])
    .where('videos.id', '>', afterId)
    .where('videos.id', '<=', lastId)
    .where(isKept)
    .execute()
  const uploads = videos.map(({ mediaKey, ...video }) => ({
    ...{ mediaKey, name: SOURCE_FILE, isServed: false },
    what: `the uploaded file of ${describeVideo(video)}`,
  }))
  const files = [
    ...served.map(({ mediaKey, name, kind, sha256, ...video }) => ({
      ...{ mediaKey, name, sha256, isServed: true },
      what: `${KINDS[kind]} of ${describeVideo(video)}`,
    })),
    ...(await addHashes(db, uploads)),
  ]
  return { files, lastId }
}

export async function listHashedPictures(db: Database): Promise<HashedFile[]> {
  const pictures = (await listPictures(db)).map(({ path, what }) => {
    const [mediaKey = '', name = ''] = path.split('/')
    return { mediaKey, name, what, isServed: false }
  })
  return addHashes(db, pictures)
}

async function addHashes(db: Database, files: Listed[]): Promise<HashedFile[]> {
  const hashes = new Map<string, string>()
  for (let from = 0; from < files.length; from += 500) {
    const keys = files.slice(from, from + 500).map(({ mediaKey }) => mediaKey)
    const rows = await db
      .selectFrom('fileHashes')
      .select(['mediaKey', 'name', 'sha256'])
      .where('mediaKey', 'in', keys)
      .execute()
    for (const { mediaKey, name, sha256 } of rows) hashes.set(`${mediaKey}/${name}`, sha256)
  }
  return files.map((file) => ({
    ...file,
    sha256: hashes.get(`${file.mediaKey}/${file.name}`) ?? null,
  }))
}

export async function findServedHash(
  db: Database,
  { mediaKey, name }: Key,
): Promise<string | undefined> {
  const row = await selectServed(db, mediaKey)
    .select('mediaFiles.sha256')
    .where('mediaFiles.name', '=', name)
    .executeTakeFirst()
  return row?.sha256 ?? undefined
}

const selectServed = (db: Database, mediaKey: string) =>
  db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .where('videos.mediaKey', '=', mediaKey)
    .where(isKept)

/** Keeps a hash recorded meanwhile. */
export async function updateUnknownHashes(
  db: Database,
  found: readonly (Pick<HashedFile, 'mediaKey' | 'isServed'> & MeasuredFile)[],
): Promise<void> {
  if (found.length === 0) return
  await writeQuietly(db, async (transaction) => {
    for (const { isServed, ...file } of found) {
      if (!isServed) {
        await upsertFileHash(transaction, file)
        continue
      }
      const { mediaKey, name, sha256 } = file
      await transaction
        .updateTable('mediaFiles')
        .set({ sha256 })
        .where('name', '=', name)
        .where('videoId', 'in', (eb) =>
          eb.selectFrom('videos').select('videos.id').where('videos.mediaKey', '=', mediaKey),
        )
        .where('sha256', 'is', null)
        .execute()
    }
  })
}
