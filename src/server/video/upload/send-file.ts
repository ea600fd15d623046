import type { FileHandle } from 'node:fs/promises'
import type { AppDeps } from '#server/platform/deps.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { shownFileName } from '#shared/text/file-name.ts'
import { chunkCountOf, chunkLength, hashChunk } from './chunk-store.ts'
import { readChunk } from './local-file.ts'
import { findUpload, insertChunk, listReceivedChunks } from './upload.queries.ts'
import { openUpload } from './upload.service.ts'
import { receiveChunk } from './upload-chunk.service.ts'
import { completeUpload } from './upload-completion.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline' | 'live'> & {
  jobs: Pick<AppDeps['jobs'], 'wake'>
}

type SentFile = {
  file: FileHandle
  fileSize: number
  fileName: string
  metadata: UploadDetails
  viewer: Viewer
  /** 128 random bits, hexadecimal; the same after an interruption. */
  uploadId: string
  /** Is called before the upload is completed, and throws if the file has changed. */
  requireSame: () => Promise<void>
  /** Is called before the upload is completed, and returns the address of a thumbnail that the upload received. */
  addThumbnail?: () => Promise<string | undefined>
  /** Is called once the upload has been opened. */
  onOpened?: () => Promise<void>
  /** Links the upload to the file, so that its chunks are only hashed. Returns false to copy them. */
  linkSource?: (options: { hasChunks: boolean }) => Promise<boolean>
  onChunk?: (bytes: number) => void
  /** Ends between two chunks. */
  signal?: AbortSignal
}

/**
 * Uploads an open file of this machine, and continues an interrupted upload.
 * @returns video id; undefined if it was aborted
 * @throws FileChangedError; as `openUpload` and `completeUpload`
 */
export async function sendFile(deps: Deps, input: SentFile): Promise<number | undefined> {
  const { fileSize, fileName, metadata, viewer, uploadId, requireSame, onOpened } = input
  const upload = await findUpload(deps.db, { id: uploadId, userId: viewer.id })
  if (!upload) {
    const shown = shownFileName(fileName)
    await openUpload(deps, { fileName: shown, fileSize, metadata, viewer, inboxUploadId: uploadId })
    await onOpened?.()
  }
  if (upload && upload.state !== 'receiving') return completeUpload(deps, { uploadId, viewer })
  if (!(await sendChunks(deps, input))) return undefined
  await requireSame()
  const thumbnailUrl = await input.addThumbnail?.()
  return completeUpload(deps, { uploadId, viewer, thumbnailUrl })
}

/** @returns false if it was aborted */
async function sendChunks(deps: Deps, input: SentFile): Promise<boolean> {
  const { file, fileSize, viewer, uploadId, linkSource, onChunk, signal } = input
  const received = new Set(await listReceivedChunks(deps.db, uploadId))
  const isLinked = await linkSource?.({ hasChunks: received.size > 0 })
  const totalChunks = chunkCountOf(fileSize)
  for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex++) {
    if (!received.has(chunkIndex)) {
      if (signal?.aborted) return false
      const bytes = await readChunk(file, { fileSize, chunkIndex })
      if (isLinked) {
        await insertChunk(deps.db, { uploadId, chunkIndex, hash: await hashChunk(bytes) })
      } else await receiveChunk(deps, { uploadId, chunkIndex, totalChunks, bytes, viewer })
    }
    onChunk?.(chunkLength(fileSize, chunkIndex))
  }
  return true
}
