import { copyFile, link, lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { syncFile } from '#server/platform/durable-files.ts'
import { statPlainFile } from '#server/platform/files/plain-files.ts'

const AT_A_TIME = 64

/** Sizes in bytes of the files below a folder, by their path from it, with forward slashes. */
export type StoredFiles = Map<string, number>

/**
 * Reads which plain files there are below `folder`, which may be a link itself; what goes away meanwhile, or is not there, is
 * left out, and links are not followed.
 */
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

/** The names directly in a folder; none when it is not there. */
export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreGone)) ?? []
}

/**
 * Gives a file a second name, or copies it where the two folders cannot share one; a copy is on the
 * disk when this returns.
 * @returns whether it was copied
 * @throws ENOENT when there is no plain file
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

/** Does `work` for each item, several at a time. */
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
