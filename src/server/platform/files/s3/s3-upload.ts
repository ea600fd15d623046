import type { S3mini, UploadPart } from 's3mini'
import type { createRequests } from './s3-requests.ts'

const PART_BYTES = 16 * 1024 * 1024
/** Not every store takes more. */
const PARTS_MAX = 1000
const PARTS_AT_ONCE = 3

type Ask = ReturnType<typeof createRequests>['ask']
type Upload = { s3: S3mini; ask: Ask; name: string; content: Blob; type: string }

/**
 * Puts an object, a large one in parts that are read from the disk as they are sent. A failure leaves no parts behind,
 * unless the store cannot be asked to drop them.
 */
export async function uploadObject({ s3, ask, name, content, type }: Upload): Promise<void> {
  if (content.size <= PART_BYTES) {
    await ask(() => s3.putObject(name, content, type))
    return
  }
  const id = await ask(() => s3.getMultipartUploadId(name, type))
  if (id === undefined) return
  try {
    const bytes = Math.max(PART_BYTES, Math.ceil(content.size / PARTS_MAX))
    const numbers = Array.from({ length: Math.ceil(content.size / bytes) }, (_, index) => index + 1)
    const parts: UploadPart[] = []
    await forEachOfFew(numbers, PARTS_AT_ONCE, async (number) => {
      const piece = content.slice((number - 1) * bytes, number * bytes)
      const part = await ask(() => s3.uploadPart(name, id, piece, number))
      if (part) parts[number - 1] = part
    })
    // One that was completed, but whose answer was lost, is not found the next time.
    await ask(() => s3.completeMultipartUpload(name, id, parts))
  } catch (error) {
    await ask(() => s3.abortMultipartUpload(name, id)).catch(() => {})
    throw error
  }
}

/** Does work on each item, so many at once. The first failure ends it, once what is under way is over. */
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
