import { open, rm, stat } from 'node:fs/promises'
import { forgetFiles } from './media-answer.ts'

/** Deletes a folder and all in it; one that is gone already is fine. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  forgetFiles(folder)
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
