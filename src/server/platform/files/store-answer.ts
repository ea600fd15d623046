import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { planAnswer } from './answer-plan.ts'
import type { ByteRange } from './byte-range.ts'
import { type MediaStore, StoreError } from './media-store.ts'

type AnswerPlan = ReturnType<typeof planAnswer>

/**
 * No content for HEAD or 304. Waits for the first bytes, to report an early failure.
 * @returns undefined if missing
 * @throws StoreError
 */
export async function openAnswer(
  media: MediaStore,
  { key, plan, method }: { key: string; plan: AnswerPlan; method: string | undefined },
): Promise<{ stream: Readable | null } | undefined> {
  const { body } = plan
  const needsBytes = typeof body === 'object' && countBytes(body) > 0 && method !== 'HEAD'
  if (!needsBytes) return { stream: null }
  const stream = await media.openRange(key, body)
  if (!stream) return undefined
  await once(stream, 'readable')
  if (stream.readableLength > 0) return { stream }
  stream.destroy()
  throw new StoreError('away', `The store sent nothing of ${key}.`)
}

/** A body of the wrong length breaks the connection: no client takes it for the whole. */
export async function sendAnswer(
  response: ServerResponse,
  input: { plan: AnswerPlan; headers: OutgoingHttpHeaders; stream: Readable | null },
): Promise<void> {
  const { plan, headers, stream } = input
  const { body } = plan
  try {
    response.writeHead(plan.status, { ...headers, ...plan.headers })
    if (stream && typeof body === 'object') {
      await pipeline(stream, exactly(countBytes(body)), response)
    } else response.end(typeof body === 'string' ? body : undefined)
  } catch {
    response.destroy()
  } finally {
    stream?.destroy()
  }
}

function exactly(bytes: number) {
  return async function* (pieces: AsyncIterable<Buffer>) {
    let left = bytes
    for await (const piece of pieces) {
      left -= piece.length
      if (left < 0) break
      yield piece
    }
    if (left !== 0) throw new Error('The store sent another number of bytes than it said.')
  }
}

function countBytes({ start, end }: ByteRange): number {
  return end - start + 1
}
