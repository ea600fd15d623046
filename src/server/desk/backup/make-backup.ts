import { lstat, mkdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { BACKUPS_FOLDER, beginBackup, copyDatabaseOf } from '#server/platform/db/maintain.ts'
import { requireCurrentSchema } from '#server/platform/db/migrate.ts'
import { DATABASE_FILE, openDatabaseToRead } from '#server/platform/db/open.ts'
import { syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { CommandError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { makeFolder } from '#server/platform/files/make-folder.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { isSafeKey } from '#server/platform/files/safe-keys.ts'
import { isInFolder } from '#server/platform/path-in-folder.ts'
import { findDistrust } from '../site-check/distrust.ts'
import { listMediaKeys, listNamedFiles } from '../site-check/named-files.ts'
import { eachOf, linkOrCopy, listNames, listStoredFiles } from '../site-check/stored-files.ts'
import { requireWholeBackup } from './backup-check.ts'
import { MANIFEST_FILE, type Manifest, writeManifest } from './backup-manifest.ts'
import { fetchMedia, listStoredMedia } from './backup-media.ts'
import { hashPlainFile } from './hash-file.ts'
import { hashMedia, readEarlier } from './media-hashes.ts'

const PARTS = ['media', DATABASE_FILE, `${DATABASE_FILE}-journal`, MANIFEST_FILE]

/** `copied`: hard links were impossible. */
type Backup = { manifest: Manifest; copied: boolean }

type Elsewhere = { media: MediaStore; address: string; withMedia: boolean }

/**
 * Works beside a running site, which deletes no media meanwhile.
 * @param input.elsewhere remote media, listed or fetched
 * @throws CommandError for an unusable `folder`, a running backup, or a failed check. See
 * docs/decisions/0029-backups.md.
 */
export async function makeBackup(input: {
  dataFolder: string
  folder: string
  elsewhere?: Elsewhere | undefined
}): Promise<Backup> {
  const { dataFolder, folder, elsewhere } = input
  await requireUsableFolder(input)
  const end = beginBackup(dataFolder)
  if (!end) throw new CommandError('Another backup of this site is running.')
  try {
    const partial = `${folder}.partial`
    await openPartialFolder(partial)
    const backup = await fillBackup({ dataFolder, folder, partial, elsewhere }).catch(
      async (error) => {
        await rm(partial, { recursive: true, force: true })
        throw error
      },
    )
    await rmdir(folder).catch(ignoreMissing)
    await rename(partial, folder)
    failpoint('backup.moved')
    await syncFolder(dirname(folder))
    return backup
  } finally {
    end()
  }
}

async function requireUsableFolder(input: { dataFolder: string; folder: string }): Promise<void> {
  const { dataFolder, folder } = input
  const isInside = isInFolder(folder, dataFolder)
  if (isInside && dirname(relative(dataFolder, folder)) !== BACKUPS_FOLDER) {
    throw new CommandError('A backup cannot lie inside the data folder. Choose another folder.')
  }
  const found = await stat(folder).catch(ignoreMissing)
  if (found && !found.isDirectory()) throw new CommandError(`${folder} is a file, not a folder.`)
  if ((await listNames(folder)).length > 0) {
    throw new CommandError(`${folder} is not empty. Choose a new folder for each backup.`)
  }
}

/** Removes the remains of an interrupted backup, and nothing else. */
async function openPartialFolder(partial: string): Promise<void> {
  const strange = (await listNames(partial)).filter((name) => !PARTS.includes(name))
  if (strange.length > 0) {
    throw new CommandError(`${partial} holds other files (${strange[0]}). Move them away first.`)
  }
  await rm(partial, { recursive: true, force: true })
  await makeFolder(join(partial, 'media'), 'The folder of the backup')
}

async function fillBackup(input: {
  dataFolder: string
  folder: string
  partial: string
  elsewhere: Elsewhere | undefined
}): Promise<Backup> {
  const { partial } = input
  const createdAt = timestamp()
  const snapshot = join(partial, DATABASE_FILE)
  copyDatabaseOf(input.dataFolder, snapshot)
  await syncFile(snapshot)
  failpoint('backup.copied')
  const db = openDatabaseToRead(partial)
  try {
    await requireCurrentSchema(db)
    const reason = await findDistrust(db)
    if (reason) throw new CommandError(`No backup is made: ${reason}.`)
    const keys = await listMediaKeys(db)
    const { copied, ...media } = await (input.elsewhere
      ? takeStored(keys, { ...input, elsewhere: input.elsewhere })
      : takeFolders(keys, input))
    const taken = new Set(media.files.map(({ path }) => path))
    const named = await listNamedFiles(db)
    const manifest: Manifest = {
      format: 'clutch-backup',
      createdAt,
      ...(await countRows(db)),
      database: {
        bytes: (await stat(snapshot)).size,
        sha256: (await hashPlainFile(snapshot)) ?? '',
      },
      ...media,
      missing: named.map(({ path }) => path).filter((path) => !taken.has(path)),
    }
    await writeManifest(partial, manifest)
    failpoint('backup.listed')
    await syncFolder(partial)
    await requireWholeBackup(partial, manifest, { readMedia: false })
    return { manifest, copied }
  } finally {
    await db.destroy()
  }
}

type TakenMedia = Pick<Manifest, 'version' | 'media' | 'store' | 'files'> & { copied: boolean }

async function takeFolders(
  keys: Set<string>,
  { dataFolder, folder, partial }: { dataFolder: string; folder: string; partial: string },
): Promise<TakenMedia> {
  const from = openDisk(dataFolder).folders.media
  const to = join(partial, 'media')
  const copied = await takeMedia(keys, { from, to })
  failpoint('backup.media-taken')
  const stored = await listStoredFiles(to)
  const files = await hashMedia(stored, { folder: to, earlier: await readEarlier(folder) })
  return { version: 2, files, copied }
}

/** Fetched media make it like one of a local site. */
async function takeStored(
  keys: Set<string>,
  input: { folder: string; partial: string; elsewhere: Elsewhere },
): Promise<TakenMedia> {
  const { media, address, withMedia } = input.elsewhere
  const listed = await listStoredMedia(media, keys)
  if (withMedia) {
    const folder = join(input.partial, 'media')
    return { version: 2, files: await fetchMedia(media, { files: listed, folder }), copied: true }
  }
  const hashes = (await readEarlier(input.folder))?.hashes
  const files = listed.map((file) => {
    const sha256 = hashes?.get(file.path)
    return { ...file, ...(sha256 && { sha256 }) }
  })
  return { version: 3, media: 'store', store: address, files, copied: false }
}

async function takeMedia(
  keys: Set<string>,
  folders: { from: string; to: string },
): Promise<boolean> {
  let copied = false
  await eachOf(keys, async (key) => {
    const from = join(folders.from, key)
    if (!(await lstat(from).catch(ignoreMissing))?.isDirectory()) return
    for (const path of (await listStoredFiles(from)).keys()) {
      if (!isSafeKey(path)) continue
      const target = join(folders.to, key, path)
      await mkdir(dirname(target), { recursive: true })
      copied = (await linkOrCopy(join(from, path), target).catch(ignoreMissing)) || copied
    }
  })
  for (const key of await listNames(folders.to)) await syncFolder(join(folders.to, key))
  await syncFolder(folders.to)
  return copied
}

async function countRows(db: Database): Promise<Pick<Manifest, 'videos' | 'members'>> {
  const count = async (table: 'videos' | 'users') => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return row.count
  }
  return { videos: await count('videos'), members: await count('users') }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
