import { sql } from 'kysely'
import { indexIsWhole } from '#server/discovery/search/index-health.queries.ts'
import { type Database, requireCurrentSchema } from '#server/platform/db/database.ts'
import { isSoundFile, listDatabaseDamage } from '#server/platform/db/dialect.ts'
import { describeUpgradeCopy, listUpgradeCopies } from '#server/platform/db/upgrade.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { chunkLength } from '#server/video/upload/chunk-store.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import {
  listOpenUploads,
  listVideoRecords,
  listWrongLikeCounts,
  listWrongSubscriberCounts,
} from './file-check.queries.ts'
import { describeVideo, listMediaKeys, listNamedFiles } from './named-files.ts'
import { listNames, listStoredFiles, type StoredFiles } from './stored-files.ts'

/** The text of an orphan is its path in the data folder. */
export type Problem = { kind: 'missing' | 'orphaned' | 'damaged'; text: string }

export type SiteCheck = { problems: Problem[]; videos: number; files: number }

type Site = { db: Database; uploads: StoredFiles; media: StoredFiles; names: SiteNames }
type SiteNames = { uploads: string[]; media: string[] }

/**
 * Compares a site's database with its files. It changes nothing. On a site that is running, what
 * happens between reading rows and files may look like a problem: look twice.
 * @param onProgress gets roughly how much is done, 0 to 100
 */
export async function checkSite(
  db: Database,
  dataFolder: string,
  onProgress: (percent: number) => void = () => {},
): Promise<SiteCheck> {
  const damage = await listDatabaseDamage(db)
  if (damage.length > 0) return { problems: damage.map(damaged), videos: 0, files: 0 }
  await requireCurrentSchema(db)
  onProgress(40)
  const { folders } = openDisk(dataFolder)
  const names = {
    uploads: await listNames(folders.uploads),
    media: await listNames(folders.media),
  }
  const uploads = await listStoredFiles(folders.uploads)
  const media = await listStoredFiles(folders.media)
  onProgress(75)
  const site: Site = { db, uploads, media, names }
  const records = await listVideoRecords(db)
  const problems = [
    ...(await checkFiles(site)),
    ...(await findOrphans(site)),
    ...checkVideos(records),
    ...(await checkUploads(site)),
    ...(await checkCounters(db)),
    ...(await checkSearchIndex(db)),
    ...(await checkUpgradeCopies(dataFolder)),
  ]
  onProgress(100)
  return { problems, videos: records.length, files: media.size }
}

async function checkFiles({ db, media }: Site): Promise<Problem[]> {
  const files = await listNamedFiles(db)
  return files.flatMap(({ path, what, bytes }) => {
    const found = media.get(path)
    if (found === undefined) return [missing(`media/${path}, ${what}`)]
    if (found === (bytes ?? found) && found > 0) return []
    return [
      damaged(`media/${path}, ${what}, has ${found} bytes${bytes ? ` instead of ${bytes}` : ''}`),
    ]
  })
}

async function findOrphans({ db, names }: Site): Promise<Problem[]> {
  const open = await listOpenUploads(db)
  const deleting = await db
    .selectFrom('videos')
    .select('mediaKey')
    .where('processingState', '=', sql.lit('deleting'))
    .execute()
  const keys = await listMediaKeys(db)
  for (const { mediaKey } of [...open, ...deleting]) keys.add(mediaKey)
  const ids = new Set(open.map((upload) => upload.id))
  return [
    ...names.media.filter((name) => !keys.has(name)).map((name) => orphaned(`media/${name}`)),
    ...names.uploads.filter((name) => !ids.has(name)).map((name) => orphaned(`uploads/${name}`)),
  ]
}

type VideoRecord = Awaited<ReturnType<typeof listVideoRecords>>[number]

function checkVideos(records: VideoRecord[]): Problem[] {
  return records.flatMap((video) => {
    const who = describeVideo(video)
    if (video.processingState === 'processing' && video.hasJob === 0) {
      return [damaged(`${who} waits to be prepared, but no job will do it`)]
    }
    const names = video.videoUrl !== null || video.videoFileExists === 0
    if (video.processingState === 'ready' && !names) {
      return [damaged(`${who} is said to be playable, but names no video file`)]
    }
    return []
  })
}

async function checkUploads({ db, uploads, names }: Site): Promise<Problem[]> {
  const open = await listOpenUploads(db)
  return open.flatMap((upload) => {
    const path = `${upload.id}/${SOURCE_FILE}`
    const what = `the file of the open upload "${upload.fileName}"`
    if (upload.prepared) {
      const moved = names.media.includes(upload.mediaKey) || names.uploads.includes(upload.id)
      return moved ? [] : [missing(`media/${upload.mediaKey}, ${what}`)]
    }
    const bytes = uploads.get(path)
    if (bytes === undefined) return [missing(`uploads/${path}, ${what}`)]
    const { lastChunk, fileSize } = upload
    if (lastChunk === null) return []
    const recorded = lastChunk * UPLOAD_CHUNK_BYTES + chunkLength(fileSize, lastChunk)
    if (bytes >= recorded) return []
    return [damaged(`uploads/${path}, ${what}, has ${bytes} of the ${recorded} bytes recorded`)]
  })
}

async function checkCounters(db: Database): Promise<Problem[]> {
  const videos = await listWrongLikeCounts(db, { table: 'videos', column: 'videoId' })
  const comments = await listWrongLikeCounts(db, { table: 'comments', column: 'commentId' })
  const members = await listWrongSubscriberCounts(db)
  const likes = (who: (row: { id: number; name: string }) => string) => (row: LikeCount) =>
    row.stored === row.counted
      ? []
      : [
          damaged(
            `${who(row)} counts ${row.stored} ${row.dislikes ? 'dislikes' : 'likes'}, but has ${row.counted}`,
          ),
        ]
  return [
    ...videos.flatMap(likes(({ id, name }) => describeVideo({ id, title: name }))),
    ...comments.flatMap(likes(({ id }) => `comment ${id}`)),
    ...members.map(({ username, stored, counted }) =>
      damaged(`${username} counts ${stored} subscribers, but has ${counted}`),
    ),
  ]
}

async function checkSearchIndex(db: Database): Promise<Problem[]> {
  if (await indexIsWhole(db)) return []
  return [
    damaged(
      'the search index does not agree with the videos: stop the site and rebuild it with npm run doctor -- --rebuild-search',
    ),
  ]
}

/** Copies of the database from before updates. */
async function checkUpgradeCopies(dataFolder: string): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const path of await listUpgradeCopies(dataFolder)) {
    const name = describeUpgradeCopy(path)
    if (!(await isSoundFile(path))) {
      problems.push(damaged(`${name}, the copy of the database from before an update`))
    }
  }
  return problems
}

type LikeCount = Awaited<ReturnType<typeof listWrongLikeCounts>>[number]

const missing = (text: string): Problem => ({ kind: 'missing', text })
const orphaned = (text: string): Problem => ({ kind: 'orphaned', text })
const damaged = (text: string): Problem => ({ kind: 'damaged', text })
