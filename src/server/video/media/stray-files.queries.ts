import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import type { StoredFolder } from '#server/platform/files/stored-folders.ts'
import { posterFileName } from '../processing/media-limits.ts'
import { fileIn } from '../video/media-address.ts'

/** The original, and its own poster if the owner set another. */
const WITHOUT_ROW = [SOURCE_FILE, posterFileName]

export type StrayFile = { videoId: number; mediaKey: string; name: string }

/** Files left by failed work; excludes videos with pending work or deletion. */
export async function listStrayFiles(
  db: Database,
  folders: readonly Pick<StoredFolder, 'name' | 'files'>[],
): Promise<StrayFile[]> {
  const videos = await listRestingVideos(
    db,
    folders.map(({ name }) => name),
  )
  const ids = videos.map(({ id }) => id)
  const named = new Set([
    ...(await listNames(db, { table: 'mediaFiles', column: 'name', ids })),
    ...(await listNames(db, { table: 'captions', column: 'file', ids })),
    ...videos.flatMap(({ id, mediaKey, ...addresses }) =>
      Object.values(addresses).map((address) => `${id}/${fileIn(address)}`),
    ),
  ])
  const byKey = new Map(videos.map(({ id, mediaKey }) => [mediaKey, id]))
  return folders.flatMap(({ name: mediaKey, files }) => {
    const videoId = byKey.get(mediaKey)
    if (videoId === undefined) return []
    return [...files.keys()]
      .filter((name) => !WITHOUT_ROW.includes(name) && !named.has(`${videoId}/${name}`))
      .map((name) => ({ videoId, mediaKey, name }))
  })
}

export const strayKey = ({ mediaKey, name }: StrayFile) => storeKey(mediaKey, name)

async function listRestingVideos(db: Database, mediaKeys: string[]) {
  return db
    .selectFrom('videos')
    .select(['id', 'mediaKey'])
    .select(['videoUrl', 'thumbnailUrl', 'hlsUrl', 'storyboardUrl', 'shareUrl', 'cardUrl'])
    .where('mediaKey', 'in', mediaKeys)
    .where('processingState', '<>', 'deleting')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.videoId', '=', 'videos.id')
            .where('jobs.state', 'in', ['queued', 'running']),
        ),
      ),
    )
    .execute()
}

async function listNames(
  db: Database,
  { table, column, ids }: { table: string; column: string; ids: number[] },
): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ path: string }>`
    SELECT "videoId" || '/' || ${sql.ref(column)} AS "path" FROM ${sql.table(table)}
    WHERE "videoId" IN (${sql.join(ids)})`.execute(db)
  return rows.map(({ path }) => path)
}
