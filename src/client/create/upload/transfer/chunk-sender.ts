import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { OpenUpload } from '#shared/schemas/upload.schemas.ts'
import { chunkCountOf } from '../form/video-file.ts'
import { type RetryOptions, withRetries } from './retry.ts'
import type { UploadTransport } from './upload-transport.ts'

/**
 * Of all files of the upload list: what fills 1 Gb/s 20 ms away, and what the server reads of one member at a time.
 * See docs/decisions/0071-chunks-fill-the-line.md.
 */
export const CHUNKS_AT_ONCE = 4
/** One more is sent at once while a chunk takes less than this, one fewer when it takes longer. */
const QUICK_MS = 1000

type Options = {
  transport: Pick<UploadTransport, 'sendChunk'>
  opened: OpenUpload
  retries: RetryOptions
  /** Indexes to begin with. */
  first?: readonly number[]
  /** At most; asked after each chunk. */
  chunksAtOnce: () => number
  onProgress: (sent: { chunksStored: number; bytesSent: number }) => void
}

/** A chunk that stayed unsent; `cause` is what happened to its last try. */
export class ChunkFailedError extends Error {}

/**
 * Sends the chunks that the server does not have yet, begun in their order after those to begin with. The first that fails ends the others.
 * @throws ChunkFailedError
 */
export async function sendChunks(file: File, options: Options): Promise<void> {
  const { transport, opened, first = [], chunksAtOnce, onProgress } = options
  const { uploadId } = opened
  const stop = new AbortController()
  const { signal } = stop
  const retries = { ...options.retries, signal }
  const totalChunks = chunkCountOf(file.size)
  const stored = new Set(opened.received)
  let storedBytes = opened.received.reduce((sum, index) => sum + chunkLength(file, index), 0)
  /** Bytes of each that were handed to the network. */
  const underWay = new Map<number, number>()
  const report = () => {
    const bytesSent = [...underWay.values()].reduce((sum, bytes) => sum + bytes, storedBytes)
    onProgress({ chunksStored: stored.size, bytesSent })
  }

  async function send(chunkIndex: number): Promise<void> {
    const length = chunkLength(file, chunkIndex)
    const inFlight = {
      signal,
      onProgress: (bytes: number) => {
        // The form around the chunk is counted by the network too.
        underWay.set(chunkIndex, Math.min(bytes, length))
        report()
      },
    }
    try {
      const chunk = await readChunk(file, chunkIndex)
      const sending = { uploadId, chunkIndex, totalChunks, chunk }
      await withRetries(() => transport.sendChunk(sending, inFlight), retries)
    } catch (cause) {
      signal.throwIfAborted()
      const reason = cause instanceof Error ? cause.message : ''
      const message = reason && `Failed to upload chunk ${chunkIndex}: ${reason}`
      throw new ChunkFailedError(message, { cause })
    } finally {
      underWay.delete(chunkIndex)
    }
    stored.add(chunkIndex)
    storedBytes += length
    report()
  }

  const running = new Set<Promise<void>>()
  let atOnce = 1
  const begin = (chunkIndex: number) => {
    const begunAt = retries.now()
    const one = send(chunkIndex).then(() => {
      running.delete(one)
      const isQuick = retries.now() - begunAt < QUICK_MS
      atOnce = Math.max(1, Math.min(atOnce + (isQuick ? 1 : -1), chunksAtOnce()))
    })
    running.add(one)
  }
  const abort = () => stop.abort(options.retries.signal.reason)
  options.retries.signal.addEventListener('abort', abort, { once: true })
  try {
    report()
    const all = Array.from({ length: totalChunks }, (_, index) => index)
    for (const chunkIndex of new Set([...first, ...all])) {
      if (stored.has(chunkIndex)) continue
      while (running.size >= atOnce) await Promise.race(running)
      begin(chunkIndex)
    }
    await Promise.all(running)
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled(running)
    throw error
  } finally {
    options.retries.signal.removeEventListener('abort', abort)
  }
}

function chunkLength(file: File, index: number): number {
  return Math.min(UPLOAD_CHUNK_BYTES, file.size - index * UPLOAD_CHUNK_BYTES)
}

/** Reads the bytes now, so that every try sends the same ones and a changed file is noticed. */
export async function readChunk(file: File, index: number): Promise<Blob> {
  const start = index * UPLOAD_CHUNK_BYTES
  try {
    return new Blob([await file.slice(start, start + UPLOAD_CHUNK_BYTES).arrayBuffer()])
  } catch {
    throw new Error('The file was changed, moved or deleted. Choose it again.')
  }
}
