import { copyFile, link, lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { syncFile } from '#server/platform/durable-files.ts'
import { statPlainFile } from '#server/platform/files/plain-files.ts'

const AT_A_TIME = 64

/** By relative path, with forward slashes. */
export type StoredFiles = Map<string, number>

/** Regular ones; `folder` may be a link. */
export async function listStoredFiles(folder: string): Promise<StoredFiles> {
  const files: StoredFiles = new Map()
  await eachOf(await listNames(folder), async (name) => {
    for (const path of await listPaths(join(folder, name))) {
      const found = await lstat(path).catch(ignoreGone)
      if (found?.isFile()) files.set(relative(folder, path).replaceAll(sep, '/'), found.size)
    }
  })
  return files
}

export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreGone)) ?? []
}

/**
 * A hard link, or a synced copy across file systems.
 * @returns whether it copied
 * @throws ENOENT without a regular file
 */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  if (!(await statPlainFile(from))) {
    throw Object.assign(new Error(`There is no plain file ${from}.`), { code: 'ENOENT' })
  }
  try {
    await link(from, to)
    return false
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOSPC' || code === 'EEXIST') throw error
    await copyFile(from, to)
    await syncFile(to)
    return true
  }
}

export async function eachOf<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  atATime: number = AT_A_TIME,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  const takeTurns = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atATime }, takeTurns))
}

async function listPaths(path: string): Promise<string[]> {
  if (!(await lstat(path).catch(ignoreGone))?.isDirectory()) return [path]
  const options = { recursive: true, withFileTypes: true } as const
  const entries = (await readdir(path, options).catch(ignoreGone)) ?? []
  return entries.map((entry) => join(entry.parentPath, entry.name))
}

function ignoreGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
