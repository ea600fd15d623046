import { constants, createWriteStream, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

// No link is followed, no FIFO blocks; Windows lacks both flags.
const READ_PLAINLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const READ_BYTES = 1024 * 1024
const NOT_THERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR']

/** Undefined except for a regular file in real folders. */
export async function openPlainFile(path: string): Promise<FileHandle | undefined> {
  if (!(await lstat(dirname(path)).catch(ignoreNotThere))?.isDirectory()) return undefined
  const file = await open(path, READ_PLAINLY).catch(ignoreNotThere)
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

/** Undefined as for `openPlainFile`. */
export async function statPlainFile(path: string): Promise<Stats | undefined> {
  if (!(await lstat(dirname(path)).catch(ignoreNotThere))?.isDirectory()) return undefined
  const found = await lstat(path).catch(ignoreNotThere)
  return found?.isFile() ? found : undefined
}

/**
 * No other hard link.
 * @returns false without a source
 */
export async function copyPlainFile(from: string, to: string): Promise<boolean> {
  const file = await openPlainFile(from)
  if (file)
    await pipeline(file.createReadStream({ highWaterMark: READ_BYTES }), createWriteStream(to))
  return file !== undefined
}

/**
 * @param path below `root`, which may be a link; a folder ends in a slash
 * @returns such as 'media/ab is a link'
 */
export async function findOddPart(root: string, path: string): Promise<string | undefined> {
  const parts = path.split('/')
  for (const [index, part] of parts.entries()) {
    if (part === '') continue
    const way = parts.slice(0, index + 1).join('/')
    const found = await lstat(join(root, way)).catch(ignoreNotThere)
    if (!found) return undefined
    const isLast = index === parts.length - 1
    if (isLast ? found.isFile() : found.isDirectory()) continue
    return `${way} is ${describeKind(found)}`
  }
  return undefined
}

/** Neither folder nor regular file. */
export async function listOddEntries(folder: string, limit: number): Promise<string[]> {
  const odd: string[] = []
  const waiting = ['']
  for (let way = waiting.pop(); way !== undefined && odd.length < limit; way = waiting.pop()) {
    const options = { withFileTypes: true } as const
    const entries = (await readdir(join(folder, way), options).catch(ignoreNotThere)) ?? []
    for (const entry of entries) {
      const path = way + entry.name
      if (entry.isDirectory()) waiting.push(`${path}/`)
      else if (!entry.isFile()) odd.push(path)
    }
  }
  return odd.slice(0, limit)
}

export function describeKind(
  found: Pick<Stats, 'isSymbolicLink' | 'isDirectory' | 'isFile'>,
): string {
  if (found.isSymbolicLink()) return 'a link'
  if (found.isDirectory()) return 'a folder'
  return found.isFile() ? 'a file' : 'neither a file nor a folder'
}

function ignoreNotThere(error: unknown): undefined {
  if (!NOT_THERE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
}
