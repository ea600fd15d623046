import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { AppDeps } from '#server/platform/deps.ts'
import { SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { chunkKey } from '../media/stored-chunks.ts'
import { hashChunk } from '../upload/chunk-store.ts'
import { findChunkHash } from '../upload/upload.queries.ts'
import { type ArrivingUpload, findArrivingUpload } from './arriving.queries.ts'

type Deps = Pick<AppDeps, 'db' | 'disk' | 'media'>

/** How soon an arrived chunk is noticed. It may arrive at another node. */
const POLL_MS = 250
/** Picture, sound and index may lie apart. */
const KEPT_CHUNKS = 4
/** The index of a recording of ten hours has less. What a file says of itself may be wrong. */
const READ_BYTES_MAX = 128 * 1024 * 1024

/** The upload is over, or has less bytes than were said. */
export class NoMoreBytesError extends Error {}

/**
 * Reads bytes of an upload, waiting for those that have not arrived. A chunk counts as arrived with
 * its row, and its bytes are compared with the row's hash, so that what is read is what was sent.
 */
export function openArrivedBytes(
  deps: Deps,
  { videoId, signal }: { videoId: number; signal: AbortSignal },
) {
  const kept = new Map<number, Buffer>()
  let waiting = 0

  async function requireUpload(): Promise<ArrivingUpload> {
    const upload = await findArrivingUpload(deps.db, videoId)
    if (!upload || upload.state === 'failed' || upload.state === 'expired') {
      throw new NoMoreBytesError('The upload is over.')
    }
    return upload
  }

  async function readChunk(chunkIndex: number): Promise<Buffer> {
    const known = kept.get(chunkIndex)
    if (known) return known
    const bytes = await waitForChunk(chunkIndex)
    kept.set(chunkIndex, bytes)
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_CHUNKS) break
      kept.delete(oldest)
    }
    return bytes
  }

  async function waitForChunk(chunkIndex: number): Promise<Buffer> {
    let isWaiting = false
    try {
      for (;;) {
        signal.throwIfAborted()
        const upload = await requireUpload()
        const hash = await findChunkHash(deps.db, { uploadId: upload.id, chunkIndex })
        const bytes = hash && (await findBytes(deps, { upload, chunkIndex, hash }))
        if (bytes) return bytes
        if (!hash && upload.state !== 'receiving') {
          throw new NoMoreBytesError('The file ends before this.')
        }
        if (!isWaiting) waiting += 1
        isWaiting = true
        await wait(POLL_MS, undefined, { signal })
      }
    } finally {
      if (isWaiting) waiting -= 1
    }
  }

  return {
    isWaiting: () => waiting > 0,

    /** @throws NoMoreBytesError, and others for what cannot be watched early */
    async read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
      if (end - start > READ_BYTES_MAX) throw new Error('A part of the file is too large.')
      const bytes = new Uint8Array(end - start)
      for (let at = start; at < end; ) {
        const chunkIndex = Math.floor(at / UPLOAD_CHUNK_BYTES)
        const from = at - chunkIndex * UPLOAD_CHUNK_BYTES
        const chunk = await readChunk(chunkIndex)
        const part = chunk.subarray(from, from + end - at)
        if (part.length === 0) throw new NoMoreBytesError('The file ends before this.')
        bytes.set(part, at - start)
        at += part.length
      }
      return bytes
    },
  }
}

type Asked = { upload: ArrivingUpload; chunkIndex: number; hash: Uint8Array }

/** Reads the bytes from this disk, from a chunk in the store, or from the file that the upload became. */
async function findBytes(deps: Deps, asked: Asked): Promise<Buffer | undefined> {
  const { upload, chunkIndex, hash } = asked
  const key = chunkKey(upload.id, chunkIndex, hash)
  const source = storeKey(upload.mediaKey, SOURCE_FILE)
  const places = [
    () => readHere(deps, asked),
    async () => (deps.media.remote ? await deps.media.openRange(key) : undefined),
    () => deps.media.openRange(source, rangeOf(chunkIndex, upload.fileSize)),
  ]
  for (const open of places) {
    const found = await open().catch(() => undefined)
    const bytes = Buffer.isBuffer(found) ? found : found && (await buffer(found).catch(() => null))
    if (bytes && (await hashChunk(bytes)).equals(hash)) return bytes
  }
  return undefined
}

/** Inclusive. */
function rangeOf(chunkIndex: number, fileSize: number) {
  const start = chunkIndex * UPLOAD_CHUNK_BYTES
  return { start, end: Math.min(start + UPLOAD_CHUNK_BYTES, fileSize) - 1 }
}

async function readHere({ disk }: Deps, { upload, chunkIndex }: Asked): Promise<Buffer> {
  const { start, end } = rangeOf(chunkIndex, upload.fileSize)
  const file = await open(join(disk.uploadFolder(upload.id), SOURCE_FILE), 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start + 1), {
      position: start,
    })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
