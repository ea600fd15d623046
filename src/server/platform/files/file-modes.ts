import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BACKUPS_FOLDER, LOCK_FILES } from '../db/maintain.ts'
import { DATABASE_FILE } from '../db/open.ts'
import { openDisk } from './disk.ts'

/** The group reads media only, for a proxy that serves them. */
type FileModes = { groupReadsMedia: boolean }

const PRIVATE_UMASK = 0o077
const GROUP_UMASK = 0o027
const FOLDERS_A_SECOND = 500

/** Also for child processes. */
export function keepFilesPrivate(): void {
  process.umask(PRIVATE_UMASK)
}

/**
 * For an existing data folder. With `groupReadsMedia` the group may read `media/` and new files.
 * Not on Windows.
 * @throws the system's error if another user owns the folder
 */
export async function closeDataFolder(
  dataFolder: string,
  { groupReadsMedia }: FileModes = { groupReadsMedia: false },
): Promise<void> {
  if (process.platform === 'win32') return
  await chmod(dataFolder, groupReadsMedia ? 0o710 : 0o700)
  const { uploads, media, work } = openDisk(dataFolder).folders
  for (const folder of [uploads, work, join(dataFolder, BACKUPS_FOLDER)]) {
    await changeMode(folder, 0o700)
  }
  await changeMode(media, groupReadsMedia ? 0o750 : 0o700)
  const files = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`]
  for (const name of [...files, ...Object.values(LOCK_FILES)]) {
    await changeMode(join(dataFolder, name), 0o600)
  }
  if (groupReadsMedia) process.umask(GROUP_UMASK)
}

/**
 * Corrects modes from older versions or before `X_ACCEL_PREFIX`, slowly; skips correct folders.
 * @returns when done or aborted
 */
export async function mendFileModes(
  dataFolder: string,
  { groupReadsMedia, signal }: FileModes & { signal: AbortSignal },
): Promise<void> {
  if (process.platform === 'win32') return
  const mediaMask = groupReadsMedia ? GROUP_UMASK : PRIVATE_UMASK
  const { media, uploads } = openDisk(dataFolder).folders
  const tops = [
    [media, mediaMask],
    [uploads, mediaMask],
    [join(dataFolder, BACKUPS_FOLDER), PRIVATE_UMASK],
  ] as const
  let looked = 0
  for (const [top, mask] of tops) {
    for (const name of await listNames(top)) {
      if (signal.aborted) return
      await mend(join(top, name), mask)
      looked += 1
      if (looked % (FOLDERS_A_SECOND / 10) === 0) await pause(100)
    }
  }
}

/** Contents first: an interrupted run is noticed. */
async function mend(path: string, mask: number): Promise<void> {
  const found = await lstat(path).catch(ignoreGone)
  if (!found || found.isSymbolicLink()) return
  const wanted = (found.isDirectory() ? 0o777 : 0o666) & ~mask
  if ((found.mode & 0o777) === wanted) return
  if (found.isDirectory())
    for (const name of await listNames(path)) await mend(join(path, name), mask)
  await changeMode(path, wanted)
}

async function changeMode(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch(ignoreGone)
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreGone)) ?? []
}

function ignoreGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
