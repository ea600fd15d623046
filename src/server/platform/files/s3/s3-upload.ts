import type { S3mini, UploadPart } from 's3mini'
import type { createRequests } from './s3-requests.ts'

const PART_BYTES = 16 * 1024 * 1024
/** The limit of some stores. */
const PARTS_MAX = 1000
const PARTS_AT_ONCE = 3

type Ask = ReturnType<typeof createRequests>['ask']
type Upload = {
  s3: S3mini
  ask: Ask
  name: string
  content: Blob
  type: string
  /** About the last request with this body. */
  isProven: (body: Blob) => boolean
}

/**
 * Large objects in parts; cleans up after a failure if the store allows.
 * @returns whether all bytes are proven
 */
export async function uploadObject(upload: Upload): Promise<boolean> {
  const { s3, ask, name, content, type, isProven } = upload
  if (content.size <= PART_BYTES) {
    await ask(() => s3.putObject(name, content, type))
    return isProven(content)
  }
  const id = await ask(() => s3.getMultipartUploadId(name, type))
  if (id === undefined) return false
  let allProven = true
  try {
    const bytes = Math.max(PART_BYTES, Math.ceil(content.size / PARTS_MAX))
    const numbers = Array.from({ length: Math.ceil(content.size / bytes) }, (_, index) => index + 1)
    const parts: UploadPart[] = []
    await forEachOfFew(numbers, PARTS_AT_ONCE, async (number) => {
      const piece = content.slice((number - 1) * bytes, number * bytes)
      const part = await ask(() => s3.uploadPart(name, id, piece, number))
      if (part) parts[number - 1] = part
      allProven &&= isProven(piece)
    })
    // A retry does not find a completed upload whose answer was lost.
    await ask(() => s3.completeMultipartUpload(name, id, parts))
    return allProven
  } catch (error) {
    await ask(() => s3.abortMultipartUpload(name, id)).catch(() => {})
    throw error
  }
}

/** The first failure ends it, after running work. */
export async function forEachOfFew<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  let failed = false
  const turns = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of waiting) {
      if (failed) return
      await work(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  })
  for (const turn of await Promise.allSettled(turns)) {
    if (turn.status === 'rejected') throw turn.reason
  }
}
