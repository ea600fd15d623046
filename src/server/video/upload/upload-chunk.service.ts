import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { chunkKey } from '../media/stored-chunks.ts'
import { chunkLength, hashChunk, writeChunk } from './chunk-store.ts'
import { requireReceiving } from './upload.access.ts'
import { findChunkHash, insertChunk } from './upload.queries.ts'
import { withUploadLock } from './upload-lock.ts'

type Deps = Pick<AppDeps, 'db' | 'disk' | 'media'>

type Chunk = {
  uploadId: string
  chunkIndex: number
  totalChunks: number
  bytes: Buffer
}

/**
 * When it returns, bytes and row are on the disk. A repeated chunk is compared.
 * @throws `invalid` (index, total or length); `conflict` (other bytes, or completed); `gone`
 * (expired)
 */
export async function receiveChunk(deps: Deps, input: Chunk & { viewer: Viewer }): Promise<void> {
  const { uploadId, chunkIndex, bytes, viewer } = input
  // The hash is computed while the chunk before it is written.
  const hashing = hashChunk(bytes)
  await withUploadLock(deps.db, uploadId, async () => {
    const upload = await requireReceiving(deps, { id: uploadId, viewer })
    requireFittingChunk(upload, input)
    const stored = await findChunkHash(deps.db, { uploadId, chunkIndex })
    if (stored) {
      if ((await hashing).equals(stored)) return
      throw new AppError('conflict', `Chunk ${chunkIndex} was stored before with other bytes.`)
    }
    const written = writeChunk(deps.disk, { uploadId, chunkIndex, bytes })
    // `finally` reports a failure; until then it is no unhandled rejection.
    written.catch(() => {})
    const hash = await hashing.finally(() => written)
    if (deps.media.remote) {
      await deps.media.put([{ key: chunkKey(uploadId, chunkIndex, hash), bytes }])
    }
    failpoint('chunk.written')
    await insertChunk(deps.db, { uploadId, chunkIndex, hash })
    failpoint('chunk.recorded')
  })
}

function requireFittingChunk(upload: UploadRow, input: Chunk): void {
  const { chunkIndex, totalChunks, bytes } = input
  if (totalChunks !== upload.chunkCount) {
    throw new AppError('invalid', `totalChunks must be ${upload.chunkCount} for this file.`)
  }
  if (chunkIndex >= upload.chunkCount) {
    throw new AppError('invalid', `chunkIndex must be from 0 to ${upload.chunkCount - 1}.`)
  }
  const length = chunkLength(upload.fileSize, chunkIndex)
  if (bytes.length !== length) {
    throw new AppError(
      'invalid',
      `Chunk ${chunkIndex} must be ${length} bytes long, but is ${bytes.length}.`,
    )
  }
}
