import { open, stat } from 'node:fs/promises'

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** On Windows the system does this itself. */
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
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}
