import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DatabaseTransaction, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { dataFolderIsTaken, LOCK_FILES, lockDataFolder } from '#server/platform/db/maintain.ts'
import { listMigrations, migrateToLatest } from '#server/platform/db/migrate.ts'
import { DATABASE_FILE, openDatabase, openUntrustedDatabase } from '#server/platform/db/open.ts'
import { exists, syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { AppError, CommandError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { FETCH_FOLDER, openDisk, RESTORE_FOLDER } from '#server/platform/files/disk.ts'
import { closeDataFolder } from '#server/platform/files/file-modes.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { makeFolder } from '#server/platform/files/make-folder.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { copyPlainFile } from '#server/platform/files/plain-files.ts'
import type { Offsite } from '#server/platform/offsite-config.ts'
import { requireOwnStores } from '#server/video/media/store-owner.ts'
import { DELETION_DAYS } from '#shared/limits.ts'
import { eachOf, linkOrCopy, listNames } from '../site-check/stored-files.ts'
import { listUnsafeNames } from '../site-check/unsafe-names.queries.ts'
import { requireDatabaseFile, requireWholeBackup } from './backup-check.ts'
import {
  findBackupFolder,
  heldFiles,
  type ListedFile,
  type Manifest,
  readManifest,
} from './backup-manifest.ts'
import { putMedia } from './backup-media.ts'
import { BackupRefusedError } from './backup-refusal.ts'
import { markLostMedia } from './lost-media.ts'
import { fetchSnapshot } from './offsite/snapshots.ts'

/** Earlier databases store invite codes in plain text. */
const INVITES_HASHED = '023-invite-hashes'
const DAY_MS = 86_400_000

/**
 * Resumes after a crash.
 * @param input.name newest by default
 * @throws CommandError as `restoreBackup` and `fetchSnapshot`
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
  const remove = () => rm(folder, { recursive: true, force: true })
  await fetchSnapshot(offsite, { folder, name }).catch(async (error) => {
    if (error instanceof BackupRefusedError) await remove()
    throw error
  })
  const restored = await restoreBackup({ dataFolder, folder, elsewhere }).catch(async (error) => {
    if (error instanceof CommandError || error instanceof AppError) await remove()
    throw error
  })
  await remove()
  return restored
}

/** `lost`: files that the store lacks, below `media/`. */
export type Restored = Manifest & { lost: string[]; usesStore: boolean }

/**
 * Into an empty data folder; again after a crash. Checks everything before files become visible to
 * the site or its store.
 * @param input.elsewhere store of the site's media, unless local
 * @throws CommandError for a used or non-empty folder or an invalid backup; nothing remains
 */
export async function restoreBackup(input: {
  dataFolder: string
  folder: string
  elsewhere?: MediaStore | undefined
}): Promise<Restored> {
  const { dataFolder, elsewhere } = input
  const folder = await findBackupFolder(input.folder)
  const manifest = await readManifest(folder)
  await makeFolder(dataFolder)
  if (dataFolderIsTaken(dataFolder)) throw folderIsTaken(dataFolder)
  await requireEmpty(dataFolder)
  const unlock = lockDataFolder(dataFolder)
  if (!unlock) throw folderIsTaken(dataFolder)
  const work = join(dataFolder, RESTORE_FOLDER)
  try {
    await closeDataFolder(dataFolder)
    if (await wasCutOffAtItsEnd(dataFolder)) {
      await requireWholeBackup(folder, manifest)
      await rm(work, { recursive: true, force: true })
      return { ...manifest, lost: [], usesStore: elsewhere !== undefined }
    }
    await openWorkFolder(dataFolder)
    const filled = { folder, manifest, work, elsewhere }
    const found = await fillWorkFolder(filled).catch(async (error) => {
      await rm(work, { recursive: true, force: true })
      throw error
    })
    await rename(join(work, 'media'), openDisk(dataFolder).folders.media)
    await syncFolder(dataFolder)
    failpoint('restore.media-moved')
    await rename(join(work, DATABASE_FILE), join(dataFolder, DATABASE_FILE))
    failpoint('restore.database-moved')
    await rm(work, { recursive: true, force: true })
    await syncFolder(dataFolder)
    return { ...manifest, ...found }
  } finally {
    unlock()
  }
}

async function fillWorkFolder(input: {
  folder: string
  manifest: Manifest
  work: string
  elsewhere: MediaStore | undefined
}): Promise<Pick<Restored, 'lost' | 'usesStore'>> {
  const { folder, manifest, work, elsewhere } = input
  await requireDatabaseFile(folder, manifest)
  // A journal beside the original would be applied by SQLite.
  await copyPlainFile(join(folder, DATABASE_FILE), join(work, DATABASE_FILE))
  await requireWholeBackup(folder, manifest, { readMedia: true, databaseFolder: work })
  const usesStore = await requireFit(work, elsewhere)
  await makePresent(work)
  failpoint('restore.database-taken')
  const [from, to] = [join(folder, 'media'), join(work, 'media')]
  const files = heldFiles(manifest)
  if (elsewhere) await putMedia(elsewhere, { files, folder: from, work: join(work, 'put') })
  else await takeMedia(files, { from, to })
  failpoint('restore.media-taken')
  const media = elsewhere ?? openFolderStore(work)
  const lost = manifest.media === 'store' ? await markLostMedia(work, media) : []
  return { lost, usesStore }
}

function folderIsTaken(dataFolder: string): CommandError {
  return new CommandError(`A Clutch server uses ${dataFolder}. Stop it first.`)
}

/** Ignores lock files, `.gitkeep` and remains of a restore. */
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

/** The database is put in place last. */
async function wasCutOffAtItsEnd(dataFolder: string): Promise<boolean> {
  return exists(join(dataFolder, DATABASE_FILE))
}

/**
 * @returns whether the site used this store before
 * @throws CommandError for another site's
 */
async function requireFit(folder: string, elsewhere: MediaStore | undefined): Promise<boolean> {
  const db = openUntrustedDatabase(folder)
  try {
    return elsewhere !== undefined && (await requireOwnStores(db, elsewhere))
  } finally {
    await db.destroy()
  }
}

async function openWorkFolder(dataFolder: string): Promise<void> {
  const work = join(dataFolder, RESTORE_FOLDER)
  await rm(work, { recursive: true, force: true })
  await mkdir(join(work, 'media'), { recursive: true })
  await rm(openDisk(dataFolder).folders.media, { recursive: true, force: true })
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

/**
 * Migrates, ends interrupted work.
 * @throws BackupRefusedError for a row with an unsafe file name
 */
async function makePresent(folder: string): Promise<void> {
  const db = openDatabase(folder)
  try {
    const { pending } = await listMigrations(db)
    await migrateToLatest(db)
    const [unsafe] = await listUnsafeNames(db)
    if (unsafe) {
      throw new BackupRefusedError(
        `The backup cannot be trusted: ${unsafe} could lead out of its folder.`,
      )
    }
    await inTransaction(db, async (transaction) => {
      await transaction.deleteFrom('sessions').execute()
      await transaction.deleteFrom('apiTokens').execute()
      await transaction.deleteFrom('workers').execute()
      // A link that was used since the backup would be valid again.
      await transaction.deleteFrom('passwordResets').execute()
      // Data exports name files by path, and the backup may be forged.
      await transaction.deleteFrom('dataExports').execute()
      await renewDeletions(transaction)
      await transaction.deleteFrom('emailVerifications').execute()
      // The emails may have been sent since the backup.
      await transaction.deleteFrom('mails').execute()
      await transaction.deleteFrom('signInSteps').execute()
      if (pending.includes(INVITES_HASHED)) await endInvites(transaction)
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

/**
 * Starts the term of scheduled deletions again: the day may be over, or the member may have kept the account since
 * the backup.
 */
async function renewDeletions(transaction: DatabaseTransaction): Promise<void> {
  const deletesAt = timestamp(new Date(Date.now() + DELETION_DAYS * DAY_MS))
  await transaction
    .updateTable('users')
    .set({ deletesAt })
    .where('deletesAt', 'is not', null)
    .execute()
}

/** An older backup has the codes in plain text. */
async function endInvites(transaction: DatabaseTransaction): Promise<void> {
  await transaction
    .updateTable('invites')
    .set({ revokedAt: timestamp() })
    .where('revokedAt', 'is', null)
    .execute()
}
