import type { FileHandle } from 'node:fs/promises'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { sampledChunks } from '#shared/sampled-chunks.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { shownFileName } from '#shared/text/file-name.ts'
import { chunkCountOf, chunkLength, hashChunk } from './chunk-store.ts'
import { findUpload, listReceivedChunks } from './upload.queries.ts'
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
}

/**
 * Uploads an open file of this machine and continues an interrupted upload.
 * @returns video id
 * @throws `conflict` if the file changes meanwhile; as `openUpload` and `completeUpload`
 */
export async function sendFile(
  deps: Deps,
  input: SentFile & { onChunk?: (bytes: number) => void },
): Promise<number> {
  const { file, fileSize, fileName, metadata, viewer, uploadId, onChunk } = input
  const before = await describe(file)
  const upload = await findUpload(deps.db, { id: uploadId, userId: viewer.id })
  if (!upload) {
    const shown = shownFileName(fileName)
    await openUpload(deps, { fileName: shown, fileSize, metadata, viewer, inboxUploadId: uploadId })
  }
  if (!upload || upload.state === 'receiving') {
    const received = new Set(await listReceivedChunks(deps.db, uploadId))
    const totalChunks = chunkCountOf(fileSize)
    for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex++) {
      const length = chunkLength(fileSize, chunkIndex)
      if (!received.has(chunkIndex)) {
        const bytes = await readChunk(file, { fileSize, chunkIndex })
        await receiveChunk(deps, { uploadId, chunkIndex, totalChunks, bytes, viewer })
      }
      onChunk?.(length)
    }
    if ((await describe(file)) !== before) throw changed()
  }
  return completeUpload(deps, { uploadId, viewer })
}

/** SHA-256 of the chunks that tell whether two files are equal, hexadecimal. */
export async function hashSampledChunks(file: FileHandle, fileSize: number): Promise<string[]> {
  const hashes: string[] = []
  for (const chunkIndex of sampledChunks(chunkCountOf(fileSize))) {
    const hash = await hashChunk(await readChunk(file, { fileSize, chunkIndex }))
    hashes.push(hash.toString('hex'))
  }
  return hashes
}

async function readChunk(
  file: FileHandle,
  { fileSize, chunkIndex }: { fileSize: number; chunkIndex: number },
): Promise<Buffer> {
  const bytes = Buffer.alloc(chunkLength(fileSize, chunkIndex))
  const start = chunkIndex * UPLOAD_CHUNK_BYTES
  for (let read = 0; read < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, start + read)
    if (bytesRead === 0) throw changed()
    read += bytesRead
  }
  return bytes
}

async function describe(file: FileHandle): Promise<string> {
  const { size, mtimeNs } = await file.stat({ bigint: true })
  return `${size} ${mtimeNs}`
}

const changed = () => new AppError('conflict', 'The file was changed while it was read.')
