import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  DATABASE_FILE,
  dataFolderIsTaken,
  inTransaction,
  LOCK_FILES,
  lockDataFolder,
  migrateToLatest,
  openDatabase,
  openDatabaseToRead,
  requireKnownSchema,
  timestamp,
} from '#server/platform/db/database.ts'
import { CommandError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { FETCH_FOLDER, openDisk, RESTORE_FOLDER } from '#server/platform/files/disk.ts'
import { exists, syncFile, syncFolder } from '#server/platform/files/durable-files.ts'
import { closeDataFolder } from '#server/platform/files/file-modes.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { makeFolder } from '#server/platform/files/make-folder.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import type { Offsite } from '#server/platform/offsite-config.ts'
import { eachOf, linkOrCopy, listNames } from '../site-check/stored-files.ts'
import {
  heldFiles,
  type ListedFile,
  type Manifest,
  readManifest,
  requireWholeBackup,
} from './backup-manifest.ts'
import { putMedia } from './backup-media.ts'
import { markLostMedia } from './lost-media.ts'
import { fetchSnapshot } from './offsite/snapshots.ts'

/**
 * Fetches a backup from its second place and puts it into an empty data folder. What was fetched before
 * a crash is not fetched again.
 * @param input.name the newest one by default
 * @throws CommandError as `restoreBackup` and `fetchSnapshot` do
 */
export async function restoreSnapshot(input: {
  dataFolder: string
  offsite: Offsite
  name: string | undefined
  elsewhere?: MediaStore | undefined
}): Promise<Restored> {
  const { dataFolder, offsite, name, elsewhere } = input
  await makeFolder(dataFolder)
  if (dataFolderIsTaken(dataFolder)) throw folderIsTaken(dataFolder)
  await requireEmpty(dataFolder)
  await closeDataFolder(dataFolder)
  const folder = join(dataFolder, FETCH_FOLDER)
  await fetchSnapshot(offsite, { folder, name })
  const restored = await restoreBackup({ dataFolder, folder, elsewhere })
  await rm(folder, { recursive: true, force: true })
  return restored
}

/** With the media that rows speak of and the site's store does not have, below `media/`. */
export type Restored = Manifest & { lost: string[] }

/**
 * Puts a backup into an empty data folder. What is there only in part after a crash is redone when
 * it is called again; the backup is left as it is.
 * @param input.elsewhere where the site's media go, or are, when that is not the data folder
 * @throws CommandError when a server has the folder, it is not empty, or the backup is not whole
 */
export async function restoreBackup(input: {
  dataFolder: string
  folder: string
  elsewhere?: MediaStore | undefined
}): Promise<Restored> {
  const { dataFolder, folder, elsewhere } = input
  const manifest = await readManifest(folder)
  await makeFolder(dataFolder)
  if (dataFolderIsTaken(dataFolder)) throw folderIsTaken(dataFolder)
  await requireEmpty(dataFolder)
  const unlock = lockDataFolder(dataFolder)
  if (!unlock) throw folderIsTaken(dataFolder)
  try {
    await closeDataFolder(dataFolder)
    await requireWholeBackup(folder, manifest)
    if (await wasCutOffAtItsEnd(dataFolder)) {
      await rm(join(dataFolder, RESTORE_FOLDER), { recursive: true, force: true })
      return { ...manifest, lost: [] }
    }
    await requireSchema(folder)
    const work = await openWorkFolder(dataFolder)
    const [from, to] = [join(folder, 'media'), join(work, 'media')]
    if (elsewhere) {
      await putMedia(elsewhere, {
        files: heldFiles(manifest),
        folder: from,
        work: join(work, 'put'),
      })
    } else await takeMedia(heldFiles(manifest), { from, to })
    failpoint('restore.media-taken')
    await copyFile(join(folder, DATABASE_FILE), join(work, DATABASE_FILE))
    await makePresent(work)
    const media = elsewhere ?? openFolderStore(work)
    const lost = manifest.media === 'store' ? await markLostMedia(work, media) : []
    failpoint('restore.database-taken')
    await rename(join(work, 'media'), openDisk(dataFolder).folders.media)
    await syncFolder(dataFolder)
    failpoint('restore.media-moved')
    await rename(join(work, DATABASE_FILE), join(dataFolder, DATABASE_FILE))
    failpoint('restore.database-moved')
    await rm(work, { recursive: true, force: true })
    await syncFolder(dataFolder)
    return { ...manifest, lost }
  } finally {
    unlock()
  }
}

function folderIsTaken(dataFolder: string): CommandError {
  return new CommandError(`A Clutch server uses ${dataFolder}. Stop it first.`)
}

/** Lock files, the file that keeps the folder in the repository, and what an interrupted restore left do not count. */
async function requireEmpty(dataFolder: string): Promise<void> {
  const found = await listNames(dataFolder)
  const ignored = ['.gitkeep', FETCH_FOLDER, ...Object.values(LOCK_FILES)]
  const names = found.filter((name) => !ignored.some((each) => name.startsWith(each)))
  const wasInterrupted = names.includes(RESTORE_FOLDER)
  const own = wasInterrupted ? [RESTORE_FOLDER, 'media', DATABASE_FILE] : []
  if (names.every((name) => own.includes(name))) return
  throw new CommandError(
    `The data folder ${dataFolder} is not empty. Move it away, or set DATA_DIR to an empty one.`,
  )
}

/** The database is moved last: then nothing was left to do but to tidy up. */
async function wasCutOffAtItsEnd(dataFolder: string): Promise<boolean> {
  return exists(join(dataFolder, DATABASE_FILE))
}

/** @throws AppError `conflict` for a backup of a newer version */
async function requireSchema(folder: string): Promise<void> {
  const db = openDatabaseToRead(folder)
  await requireKnownSchema(db).finally(() => db.destroy())
}

async function openWorkFolder(dataFolder: string): Promise<string> {
  const work = join(dataFolder, RESTORE_FOLDER)
  await rm(work, { recursive: true, force: true })
  await mkdir(join(work, 'media'), { recursive: true })
  await rm(openDisk(dataFolder).folders.media, { recursive: true, force: true })
  return work
}

async function takeMedia(
  files: ListedFile[],
  folders: { from: string; to: string },
): Promise<void> {
  const made = new Set<string>()
  await eachOf(files, async ({ path }) => {
    const target = join(folders.to, path)
    const folder = dirname(target)
    await mkdir(folder, { recursive: true })
    made.add(folder)
    await linkOrCopy(join(folders.from, path), target)
  })
  for (const folder of made) await syncFolder(folder)
  await syncFolder(folders.to)
}

/** Brings a restored database to this version and ends what was under way when it was backed up. */
async function makePresent(folder: string): Promise<void> {
  const db = openDatabase(folder)
  try {
    await migrateToLatest(db)
    await inTransaction(db, async (transaction) => {
      await transaction.deleteFrom('sessions').execute()
      await transaction.deleteFrom('apiTokens').execute()
      await transaction.deleteFrom('workers').execute()
      await transaction
        .updateTable('uploads')
        .set({ state: 'expired', prepared: null, touchedAt: timestamp() })
        .where('state', 'in', ['receiving', 'finalizing'])
        .execute()
      await transaction
        .updateTable('jobs')
        .set({ state: 'queued', percent: 0, runAfter: timestamp() })
        .where('state', '=', 'running')
        .execute()
    })
  } finally {
    await db.destroy()
  }
  await syncFile(join(folder, DATABASE_FILE))
}
