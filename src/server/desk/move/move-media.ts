import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/db/database.ts'
import { beginBackup } from '#server/platform/db/maintain.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { listFolders, type StoredFolder } from '#server/platform/files/stored-folders.ts'
import { listKnownMedia } from '#server/video/media/media-folder.queries.ts'
import { eachOf } from '../site-check/stored-files.ts'
import { isBeingPrepared } from './move.queries.ts'
import { copyStored, type Route } from './move-file.ts'

const WORK_FOLDER = 'move.partial'
const FILES_AT_A_TIME = 4
const LOOK_AGAIN_MS = 2000

export type Progress = { videos: number; bytes: number; allVideos: number; allBytes: number }

type Move = Route & {
  db: Database
  dataFolder: string
  /** For readers about to open the copied files. */
  graceMs: number
  bytesPerSecond?: number | undefined
  onProgress: (progress: Progress) => void
  onWait: (reason: string) => void
}

type Copied = { name: string; files: Map<string, number>; copiedAt: number }

/**
 * Copies, verifies, then deletes, beside a running site that reads both stores. Can be interrupted
 * and repeated.
 * @throws StoreError. See docs/object-storage.md.
 */
export async function moveMedia(move: Move): Promise<Progress> {
  const work = join(move.dataFolder, WORK_FOLDER)
  await rm(work, { recursive: true, force: true })
  await mkdir(work)
  const progress: Progress = { videos: 0, bytes: 0, ...(await countMedia(move)) }
  try {
    while ((await movePass(move, { work, progress })) > 0) {
      move.onWait('Waiting for videos that are being prepared.')
      await pause(LOOK_AGAIN_MS)
    }
    return progress
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function countMedia({ from, db }: Move) {
  let [allVideos, allBytes] = [0, 0]
  for await (const folder of listFolders(from, 'media')) {
    if (!(await isNamed(db, folder.name))) continue
    allVideos++
    allBytes += sumBytes(folder.files)
  }
  return { allVideos, allBytes }
}

/** @returns media keys left for later */
async function movePass(
  move: Move,
  { work, progress }: { work: string; progress: Progress },
): Promise<number> {
  let left = 0
  const waiting: Copied[] = []
  const removeDue = async (isLast: boolean) => {
    for (let [next] = waiting; next; [next] = waiting) {
      const restMs = next.copiedAt + move.graceMs - performance.now()
      if (restMs > 0 && !isLast) return
      await pause(Math.max(0, restMs))
      waiting.shift()
      const result = await removeMoved(move, next)
      if (result === 'stays') left++
      if (result !== 'removed') continue
      progress.videos++
      progress.bytes += sumBytes(next.files)
      move.onProgress(progress)
    }
  }
  for await (const folder of listFolders(move.from, 'media')) {
    if (!(await isNamed(move.db, folder.name))) continue
    const copied = await copyFolder(move, folder, work)
    if (copied) waiting.push(copied)
    await removeDue(false)
  }
  await removeDue(true)
  return left
}

/** @returns undefined when the video was deleted meanwhile */
async function copyFolder(
  move: Move,
  { name, files }: Pick<StoredFolder, 'name' | 'files'>,
  work: string,
): Promise<Copied | undefined> {
  const begun = performance.now()
  const copied = new Map<string, number>()
  const copy = async ([file, bytes]: [string, number]) => {
    const path = join(work, `${name}-${file.replaceAll('/', '-')}`)
    const isThere = await copyStored(move, { key: storeKey(name, file), bytes, path })
    if (isThere) copied.set(file, bytes)
  }
  await eachOf(files, copy, FILES_AT_A_TIME)
  failpoint('move.verified')
  if (move.bytesPerSecond !== undefined) {
    const dueMs = (sumBytes(copied) / move.bytesPerSecond) * 1000
    await pause(Math.max(0, begun + dueMs - performance.now()))
  }
  return copied.size > 0 ? { name, files: copied, copiedAt: performance.now() } : undefined
}

/** Unchanged files in use only, which excludes deletions meanwhile; never during a backup. */
async function removeMoved(
  move: Move,
  { name, files }: Copied,
): Promise<'removed' | 'stays' | 'gone'> {
  const { db, from, to } = move
  const end = await waitForBackups(move)
  try {
    if (!(await isNamed(db, name))) {
      await to.removePrefix(storeKey(name))
      return 'gone'
    }
    if (await isBeingPrepared(db, name)) return 'stays'
    for await (const { key, bytes } of from.list(storeKey(name))) {
      if (files.get(key.slice(storeKey(name).length)) !== bytes) return 'stays'
    }
    failpoint('move.removing')
    await from.removePrefix(storeKey(name))
    failpoint('move.removed')
    return 'removed'
  } finally {
    end()
  }
}

async function waitForBackups({ dataFolder, onWait }: Move): Promise<() => void> {
  for (;;) {
    const end = beginBackup(dataFolder)
    if (end) return end
    onWait('Waiting for a backup to end.')
    await pause(LOOK_AGAIN_MS)
  }
}

async function isNamed(db: Database, mediaKey: string): Promise<boolean> {
  return (await listKnownMedia(db, [mediaKey])).length > 0
}

function sumBytes(files: ReadonlyMap<string, number>): number {
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
}
