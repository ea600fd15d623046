import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '#server/platform/errors.ts'
import { formatBytes } from '#shared/text/format.ts'

/** Requires room for the input and as much output. */
const ROOM_PER_INPUT = 2

const NAME = /^clutch-worker-(\d+)-/

/** Also deletes those of crashed processes. */
export async function openWorkerFolder(parent: string): Promise<string> {
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR'
    throw isMissing ? new CommandError(`There is no folder ${parent}.`) : error
  })
  for (const name of names) {
    const id = NAME.exec(name)?.[1]
    if (id === undefined || isAlive(Number(id))) continue
    // It may belong to another account.
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

export class NoRoomError extends Error {}

/** @throws NoRoomError with a sentence for admins */
export async function requireRoom(
  folder: string,
  inputs: readonly { bytes: number }[],
): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const needed = ROOM_PER_INPUT * inputs.reduce((sum, { bytes }) => sum + bytes, 0)
  if (free >= needed) return
  const sizes = `a job takes about ${formatBytes(needed)}, and ${formatBytes(free)} are free`
  throw new NoRoomError(`There is no room in ${folder}: ${sizes}.`)
}
