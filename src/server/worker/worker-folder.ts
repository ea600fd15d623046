import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = /^clutch-worker-(\d+)-/

/** Makes a folder for this process, and removes what processes that crashed left behind. */
export async function openWorkerFolder(parent: string): Promise<string> {
  for (const name of await readdir(parent)) {
    const id = NAME.exec(name)?.[1]
    if (id === undefined || isAlive(Number(id))) continue
    // Another account's cannot be removed.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
  return mkdtemp(join(parent, `clutch-worker-${process.pid}-`))
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
