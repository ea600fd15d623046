import { createHash } from 'node:crypto'
import { type BigIntStats, constants, type Dirent } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInFolder } from '#server/platform/path-in-folder.ts'
import type { ReadableFile } from '#shared/container-facts/mp4-boxes.ts'
import { FileChangedError, hashSampledChunks, readAt } from '../upload/local-file.ts'

export type Place = { folder: string; path: string }
export type Found = Place & { identity: string; fileSize: number; modifiedAt: Date }

/** Levels of folders below a folder of `INBOX`. */
const DEPTH_MAX = 8
const BATCH_FILES = 200
/** Endings that recorders, browsers and copying programs use until a file is complete. */
const UNFINISHED = /\.(?:part|partial|filepart|crdownload|download|opdownload|tmp|temp|!ut|aria2)$/i
/** Folders that operating systems and NAS programs create. */
const SYSTEM_FOLDERS = new Set([
  '$RECYCLE.BIN',
  'System Volume Information',
  '@eaDir',
  '#recycle',
  'lost+found',
])

export const fullPath = ({ folder, path }: Place) => join(folder, path)

/** The mode is included, so that a file is examined again after its owner makes it readable. */
export function identityOf({ size, mtimeNs, ino, mode }: BigIntStats): string {
  return [size, mtimeNs, ino, mode].join(' ')
}

/**
 * Lists plain files; symbolic links and special files are left out.
 * @param input.onUnreadable is called with folders below it that cannot be read
 * @throws the system's error if the folder itself cannot be read
 */
export async function* walkFolder(input: {
  folder: string
  onUnreadable: (path: string) => void
}): AsyncGenerator<Found[]> {
  const { folder, onUnreadable } = input
  const waiting = [{ path: '', depth: 0 }]
  let batch: Place[] = []
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, depth } = next
    try {
      for await (const entry of await opendir(join(folder, path), { bufferSize: 256 })) {
        const place = { folder, path: path ? `${path}/${entry.name}` : entry.name }
        if (isFolderToRead(entry) && depth < DEPTH_MAX) {
          waiting.push({ path: place.path, depth: depth + 1 })
        } else if (isFileToRead(entry)) batch.push(place)
        if (batch.length < BATCH_FILES) continue
        yield await describeFiles(batch)
        batch = []
      }
    } catch (error) {
      if (path === '') throw error
      onUnreadable(path)
    }
  }
  if (batch.length > 0) yield await describeFiles(batch)
}

const isHidden = ({ name }: Dirent) => name.startsWith('.')

function isFolderToRead(entry: Dirent): boolean {
  return entry.isDirectory() && !isHidden(entry) && !SYSTEM_FOLDERS.has(entry.name)
}

function isFileToRead(entry: Dirent): boolean {
  return entry.isFile() && !isHidden(entry) && !UNFINISHED.test(entry.name)
}

/** Leaves out files that no longer exist. */
async function describeFiles(places: Place[]): Promise<Found[]> {
  const found = await Promise.all(
    places.map(async (place) => (await findFile(place)) ?? findUnnamable(place)),
  )
  return found.filter((one) => one !== undefined)
}

/** The identity of every file whose name is not UTF-8: it cannot be opened by the name that was read. */
const UNNAMABLE = 'name'

export const isUnnamable = ({ identity }: Pick<Found, 'identity'>) => identity === UNNAMABLE

function findUnnamable({ folder, path }: Place): Found | undefined {
  if (!path.includes('\ufffd')) return undefined
  return { folder, path, identity: UNNAMABLE, fileSize: 0, modifiedAt: new Date(0) }
}

/** @returns undefined unless it is a plain file */
export async function findFile({ folder, path }: Place): Promise<Found | undefined> {
  const stats = await lstat(fullPath({ folder, path }), { bigint: true }).catch(() => undefined)
  if (!stats?.isFile()) return undefined
  return {
    folder,
    path,
    identity: identityOf(stats),
    fileSize: Number(stats.size),
    modifiedAt: stats.mtime,
  }
}

/** Returns false if the folder cannot be read. */
export async function isGone(place: Place): Promise<boolean> {
  return lstat(fullPath(place)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
}

/**
 * Opens the file unless its path contains a symbolic link.
 * @throws FileChangedError, and the system's error if the file cannot be opened
 */
export async function openFound(found: Pick<Found, 'folder' | 'path' | 'identity'>) {
  const path = fullPath(found)
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(error.code)) throw new FileChangedError()
    throw error
  })
  try {
    await requireSame(file, found.identity)
    const [folder, root] = await Promise.all([realpath(dirname(path)), realpath(found.folder)])
    if (!isInFolder(folder, root)) throw new FileChangedError()
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** @throws FileChangedError */
export async function requireSame(file: FileHandle, identity: string): Promise<void> {
  const stats = await file.stat({ bigint: true })
  if (!stats.isFile() || identityOf(stats) !== identity) throw new FileChangedError()
}

/** Returns the hashes by which files are compared, and a key that files with the same content share. */
export async function contentKeyOf(
  file: FileHandle,
  fileSize: number,
): Promise<{ contentKey: string; hashes: string[] }> {
  const hashes = await hashSampledChunks(file, fileSize)
  const contentKey = createHash('sha256')
    .update([fileSize, ...hashes].join(' '))
    .digest('hex')
  return { contentKey, hashes }
}

export function toReadable(file: FileHandle, size: number): ReadableFile {
  return {
    size,
    slice: (from, until) => ({
      async arrayBuffer() {
        const bytes = await readAt(file, from, Math.max(0, Math.min(until, size) - from))
        return new Uint8Array(bytes).buffer
      },
    }),
  }
}
