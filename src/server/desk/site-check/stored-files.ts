import { copyFile, link, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { syncFile } from '#server/platform/files/durable-files.ts'

const AT_A_TIME = 64

/** Sizes in bytes of the files below a folder, by their path from it, with forward slashes. */
export type StoredFiles = Map<string, number>

/** Reads which files there are below `folder`; what goes away meanwhile, or is not there, is left out. */
export async function listStoredFiles(folder: string): Promise<StoredFiles> {
  const files: StoredFiles = new Map()
  await eachOf(await listNames(folder), async (name) => {
    for (const path of await listPaths(join(folder, name))) {
      const found = await stat(path).catch(ignoreGone)
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
 * @throws ENOENT when there is no file
 */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
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
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(path, options).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    return ignoreGone(error)
  })
  if (!entries) return [path]
  return entries.map((entry) => join(entry.parentPath, entry.name))
}

function ignoreGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
