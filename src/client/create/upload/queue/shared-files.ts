/**
 * Files that the share sheet of the system gave to the service worker. They are kept until they are uploaded, so that
 * they outlive a sign-in and a reload.
 */
import { SHARED_FILES } from '#client/platform/shared-files.ts'
import { listedFiles } from './chosen-files.ts'
import { fileKey, isOver } from './queue-item.ts'
import { uploadQueue } from './site-queue.ts'

const LOCK = 'clutch-shared-files'
const DAY_MS = 86_400_000

type Kept = { address: string; file: File }

/** Adds them to the queue, unless another tab has done so. */
export async function takeSharedFiles(): Promise<void> {
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    const kept = await listKept()
    if (kept.length === 0) return
    uploadQueue.add(listedFiles(kept.map(({ file }) => file)))
    await Promise.all(kept.map(forgetWhenDone))
  })
}

async function listKept(): Promise<Kept[]> {
  const cache = await caches.open(SHARED_FILES)
  const kept: Kept[] = []
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

/** Waits until the file is uploaded, or was taken out of the queue. */
function forgetWhenDone({ address, file }: Kept): Promise<void> {
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
