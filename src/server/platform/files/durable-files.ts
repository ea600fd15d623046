import { open, rm, stat } from 'node:fs/promises'
import { forgetFiles } from './media-answer.ts'

/** Ignores a missing folder. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  forgetFiles(folder)
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes names durable; Windows does it itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await syncFile(folder)
}

export async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== undefined
}

export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
