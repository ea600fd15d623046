import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { OpenUpload } from '#shared/schemas/upload.schemas.ts'
import { chunkCountOf } from '../form/video-file.ts'
import { type RetryOptions, withRetries } from './retry.ts'
import type { UploadTransport } from './upload-transport.ts'

type Options = {
  transport: Pick<UploadTransport, 'sendChunk'>
  opened: OpenUpload
  retries: RetryOptions
  onProgress: (sent: { chunksStored: number; bytesSent: number }) => void
}

/** A chunk that stayed unsent; `cause` is what happened to its last try. */
export class ChunkFailedError extends Error {}

/**
 * Sends the chunks that the server does not have yet, one by one.
 * @throws ChunkFailedError
 */
export async function sendChunks(file: File, options: Options): Promise<void> {
  const { transport, opened, retries, onProgress } = options
  const { signal } = retries
  const totalChunks = chunkCountOf(file.size)
  const stored = new Set(opened.received)
  let storedBytes = opened.received.reduce((sum, index) => sum + chunkLength(file, index), 0)
  const report = (chunkBytes: number) =>
    onProgress({ chunksStored: stored.size, bytesSent: storedBytes + chunkBytes })
  report(0)
  for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex++) {
    if (stored.has(chunkIndex)) continue
    const length = chunkLength(file, chunkIndex)
    const inFlight = {
      signal,
      // The form around the chunk is counted by the network too.
      onProgress: (bytes: number) => report(Math.min(bytes, length)),
    }
    try {
      const chunk = await readChunk(file, chunkIndex)
      const sending = { uploadId: opened.uploadId, chunkIndex, totalChunks, chunk }
      await withRetries(() => transport.sendChunk(sending, inFlight), retries)
    } catch (cause) {
      signal.throwIfAborted()
      const reason = cause instanceof Error ? cause.message : ''
      const message = reason && `Failed to upload chunk ${chunkIndex}: ${reason}`
      throw new ChunkFailedError(message, { cause })
    }
    stored.add(chunkIndex)
    storedBytes += length
    report(0)
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
