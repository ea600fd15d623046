/**
 * Files that the share sheet of the system gave to the service worker. Any page can send such files, so members are asked
 * before they are uploaded. They are kept until then, so that they outlive a sign-in and a reload.
 */
import { SHARED_FILES } from '#client/platform/shared-files.ts'
import { listedFiles } from './chosen-files.ts'
import { fileKey, isOver } from './queue-item.ts'
import { uploadQueue } from './site-queue.ts'
import { requestTray } from './tray/tray-request.ts'

/** Prefix of the lock that a tab holds while it uploads a file. */
const LOCK_PREFIX = 'clutch-shared-files '
const DAY_MS = 86_400_000

export type SharedFile = { address: string; file: File }

/** Lists the kept files that no tab uploads. */
export async function listSharedFiles(): Promise<SharedFile[]> {
  const kept = await listKept()
  const { held = [] } = await navigator.locks.query()
  const names = held.map(({ name }) => name)
  return kept.filter(({ address }) => !names.includes(LOCK_PREFIX + address))
}

/** Adds files to the queue, except those that another tab has added. */
export async function uploadSharedFiles(shared: readonly SharedFile[]): Promise<void> {
  const releases = await Promise.all(shared.map(claim))
  const claimed = shared.flatMap((one, at) => {
    const release = releases[at]
    return release ? [{ ...one, release }] : []
  })
  if (claimed.length === 0) return
  requestTray()
  uploadQueue.add(listedFiles(claimed.map(({ file }) => file)))
  await Promise.all(claimed.map((one) => forgetWhenDone(one).finally(one.release)))
}

export async function discardSharedFiles(shared: readonly SharedFile[]): Promise<void> {
  for (const { address } of shared) await forget(address)
}

/** Resolves to undefined if another tab uploads or has uploaded the file. */
function claim({ address }: SharedFile): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    const hold = async (lock: Lock | null) => {
      if (!lock || !(await caches.match(address, { cacheName: SHARED_FILES }))) {
        resolve(undefined)
        return
      }
      const { promise, resolve: release } = Promise.withResolvers<void>()
      resolve(release)
      await promise
    }
    navigator.locks.request(LOCK_PREFIX + address, { ifAvailable: true }, hold).catch(reject)
  })
}

async function listKept(): Promise<SharedFile[]> {
  const cache = await caches.open(SHARED_FILES)
  const kept: SharedFile[] = []
  for (const request of await cache.keys()) {
    const answer = await cache.match(request)
    const read = (name: string) => answer?.headers.get(name) ?? ''
    if (!answer || Number(read('x-kept')) + DAY_MS < Date.now()) {
      await forget(request.url)
      continue
    }
    const file = new File([await answer.blob()], decodeURIComponent(read('x-name')), {
      type: read('content-type'),
      lastModified: Number(read('x-modified')),
    })
    kept.push({ address: request.url, file })
  }
  return kept
}

/** Deletes the file once it is uploaded or removed from the queue. */
function forgetWhenDone({ address, file }: SharedFile): Promise<void> {
  const key = fileKey(file)
  let wasQueued = false
  return new Promise((resolve) => {
    const look = () => {
      const items = uploadQueue.all().filter((item) => fileKey(item) === key)
      wasQueued ||= items.length > 0
      const isDone = items.every((item) => isOver(item) || item.videoId !== undefined)
      if (!wasQueued || !isDone) return
      unsubscribe()
      resolve(forget(address))
    }
    const unsubscribe = uploadQueue.subscribe(look)
    look()
  })
}

async function forget(address: string): Promise<void> {
  const cache = await caches.open(SHARED_FILES)
  await cache.delete(address)
  if ((await cache.keys()).length === 0) await caches.delete(SHARED_FILES)
}
