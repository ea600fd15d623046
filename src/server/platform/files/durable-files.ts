import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetFiles } from './media-answer.ts'

/** Deletes a folder and all in it; one that is gone already is fine. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  forgetFiles(folder)
}

/** Moves a folder or file within the data folder and makes the move durable. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(join(from, '..'))
  await syncFolder(join(to, '..'))
}

/** Writes a file's data and its name to the disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the names in a folder durable. Windows cannot and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await syncFile(folder)
}

export async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== undefined
}

/** A file's size in bytes, or undefined when there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Bytes of all files directly in a folder. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}
