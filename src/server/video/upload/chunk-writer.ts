import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { chunkCountOf } from './chunk-store.ts'
import { updateUploadSize } from './upload.queries.ts'
import { receiveChunk } from './upload-chunk.service.ts'

/**
 * Stores a stream of bytes as the chunks of an upload. Chunks that are there already are compared.
 * @param input.sizeAtMost the size that the upload was opened with
 * @param input.stored the number of chunks that the upload has from its beginning
 */
export function createChunkWriter(
  deps: Pick<AppDeps, 'db' | 'disk' | 'media'>,
  input: { uploadId: string; viewer: Viewer; sizeAtMost: number; stored?: number },
) {
  const { uploadId, viewer, sizeAtMost } = input
  const chunk = Buffer.allocUnsafeSlow(UPLOAD_CHUNK_BYTES)
  let filled = 0
  let stored = input.stored ?? 0
  const store = async (totalChunks: number) => {
    const bytes = chunk.subarray(0, filled)
    await receiveChunk(deps, { uploadId, viewer, chunkIndex: stored, totalChunks, bytes })
    stored += 1
    filled = 0
  }
  return {
    /** @throws `too-large` for more bytes than the upload was opened with */
    async write(piece: Buffer): Promise<void> {
      if (stored * UPLOAD_CHUNK_BYTES + filled + piece.length > sizeAtMost) {
        throw new AppError('too-large', 'The file is larger than it was said to be.')
      }
      for (let at = 0; at < piece.length; ) {
        const copied = piece.copy(chunk, filled, at)
        filled += copied
        at += copied
        if (filled === chunk.length) await store(chunkCountOf(sizeAtMost))
      }
    },

    restart(): void {
      filled = 0
      stored = 0
    },

    /**
     * Stores the last chunk, and the size, which may be smaller than the upload was opened with.
     * @throws `invalid` without a byte
     */
    async end(): Promise<void> {
      const fileSize = stored * UPLOAD_CHUNK_BYTES + filled
      if (fileSize === 0) throw new AppError('invalid', 'The file is empty.')
      const chunkCount = chunkCountOf(fileSize)
      if (fileSize !== sizeAtMost) {
        await updateUploadSize(deps.db, { id: uploadId, fileSize, chunkCount })
      }
      if (filled > 0) await store(chunkCount)
    },
  }
}
