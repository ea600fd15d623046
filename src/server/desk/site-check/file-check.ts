import { sql } from 'kysely'
import { indexIsWhole } from '#server/discovery/search/index-health.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isDamaged } from '#server/platform/db/errors.ts'
import { listForeignParts } from '#server/platform/db/known-schema.ts'
import { listDamage } from '#server/platform/db/maintain.ts'
import { listMigrations, requireCurrentSchema } from '#server/platform/db/migrate.ts'
import { isSoundFile } from '#server/platform/db/sqlite/open.ts'
import { describeUpgradeCopy, listUpgradeCopies } from '#server/platform/db/upgrade.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { listOddEntries } from '#server/platform/files/plain-files.ts'
import { listFoldersInBatches } from '#server/platform/files/stored-folders.ts'
import { findDeleteLock } from '#server/video/media/store-owner.ts'
import { listStrayFiles, strayKey } from '#server/video/media/stray-files.queries.ts'
import {
  listOpenUploads,
  listVideoRecords,
  listWrongLikeCounts,
  listWrongSubscriberCounts,
} from './file-check.queries.ts'
import { describeVideo, listMediaKeys, listNamedFiles } from './named-files.ts'
import { damaged, held, missing, orphaned, type Problem } from './problem.ts'
import { listUnsafeNames } from './unsafe-names.queries.ts'
import { checkUploads, type OpenUpload } from './upload-check.ts'

const FOLDERS_AT_A_TIME = 500
const ODD_ENTRIES_MAX = 100

export type SiteCheck = { problems: Problem[]; videos: number; files: number }

export type SitePlaces = { dataFolder: string; media: MediaStore }

/**
 * Concurrent changes may look like problems: check twice.
 * @param onProgress roughly 0 to 100
 * @throws StoreError
 */
export async function checkSite(
  db: Database,
  { dataFolder, media }: SitePlaces,
  onProgress: (percent: number) => void = () => {},
): Promise<SiteCheck> {
  const wrong = await listDatabaseProblems(db)
  if (wrong.length > 0) return { problems: wrong.map(damaged), videos: 0, files: 0 }
  onProgress(40)
  const records = await listVideoRecords(db)
  const open = await listOpenUploads(db)
  const found = await compareMedia(db, { media, open })
  onProgress(75)
  const hold = await findDeleteLock({ db, dataFolder }, media)
  const problems = [
    ...(hold === undefined ? [] : [held(hold)]),
    ...found.problems,
    ...(await listUnsafeNames(db)).map((name) => damaged(`${name} could lead out of its folder`)),
    ...(await checkKinds(dataFolder)),
    ...checkVideos(records),
    ...(await checkUploads(db, { dataFolder, media, open, keys: found.keys })),
    ...(await checkCounters(db)),
    ...(await checkSearchIndex(db)),
    ...(await checkUpgradeCopies(dataFolder)),
  ]
  onProgress(100)
  return { problems, videos: records.length, files: found.files }
}

/**
 * The schema before it can run anything.
 * @throws `conflict` for another version or an abandoned database
 */
async function listDatabaseProblems(db: Database): Promise<string[]> {
  try {
    if ((await listMigrations(db)).done.length > 0) await requireCurrentSchema(db)
    const foreign = await listForeignParts(db)
    if (foreign.length > 0) return foreign.map((phrase) => `in the database ${phrase}`)
  } catch (error) {
    if (!isDamaged(error)) throw error
  }
  return listDamage(db)
}

/** Links and special files are neither followed nor served. */
async function checkKinds(dataFolder: string): Promise<Problem[]> {
  const odd = await listOddEntries(openDisk(dataFolder).folders.media, ODD_ENTRIES_MAX)
  return odd.map((path) => damaged(`media/${path} is neither a plain file nor a folder`))
}

async function compareMedia(
  db: Database,
  { media, open }: { media: MediaStore; open: OpenUpload[] },
): Promise<{ problems: Problem[]; files: number; keys: Set<string> }> {
  const named = await listNamedFiles(db)
  const bytesOf = new Map(named.map(({ path }): [string, number | undefined] => [path, undefined]))
  const known = await listFolderKeys(db, open)
  const keys = new Set<string>()
  const orphans: Problem[] = []
  let count = 0
  for await (const folders of listFoldersInBatches(media, 'media', FOLDERS_AT_A_TIME)) {
    for (const { name, files } of folders) {
      count += files.size
      if (known.has(name)) keys.add(name)
      else orphans.push(orphaned(`media/${name}`))
      for (const [file, bytes] of files) {
        const path = `${name}/${file}`
        if (bytesOf.has(path)) bytesOf.set(path, bytes)
      }
    }
    orphans.push(...(await listStrayFiles(db, folders)).map((file) => orphaned(strayKey(file))))
  }
  const wrong = named.flatMap(({ path, what, bytes }) => {
    const found = bytesOf.get(path)
    if (found === undefined) return [missing(`media/${path}, ${what}`)]
    if (found === (bytes ?? found) && found > 0) return []
    return [
      damaged(`media/${path}, ${what}, has ${found} bytes${bytes ? ` instead of ${bytes}` : ''}`),
    ]
  })
  return { problems: [...wrong, ...orphans], files: count, keys }
}

async function listFolderKeys(db: Database, open: OpenUpload[]): Promise<Set<string>> {
  const deleting = await db
    .selectFrom('videos')
    .select('mediaKey')
    .where('processingState', '=', sql.lit('deleting'))
    .execute()
  const keys = await listMediaKeys(db)
  for (const { mediaKey } of [...open, ...deleting]) keys.add(mediaKey)
  return keys
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

async function checkCounters(db: Database): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const kind of ['video', 'clip', 'comment', 'post'] as const) {
    for (const row of await listWrongLikeCounts(db, kind)) {
      const { id, name: title, stored, counted, dislikes } = row
      if (stored === counted) continue
      const who = kind === 'video' ? describeVideo({ id, title }) : `${kind} ${id}`
      const what = dislikes ? 'dislikes' : 'likes'
      problems.push(damaged(`${who} counts ${stored} ${what}, but has ${counted}`))
    }
  }
  for (const { username, stored, counted } of await listWrongSubscriberCounts(db)) {
    problems.push(damaged(`${username} counts ${stored} subscribers, but has ${counted}`))
  }
  return problems
}

async function checkSearchIndex(db: Database): Promise<Problem[]> {
  if (await indexIsWhole(db)) return []
  return [
    damaged(
      'the search index does not agree with the videos: rebuild it with npm run doctor -- --rebuild-search',
    ),
  ]
}

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
