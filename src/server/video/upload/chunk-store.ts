import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { syncFolder } from '#server/platform/durable-files.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { chunkKey } from '../media/stored-chunks.ts'

const HASH_SLICE_BYTES = 128 * 1024
const FETCHES = 8

export async function createUploadFile(disk: Disk, uploadId: string): Promise<void> {
  const folder = disk.uploadFolder(uploadId)
  await mkdir(folder, { recursive: true })
  const file = await open(join(folder, SOURCE_FILE), 'a')
  await file.close()
  await syncFolder(folder)
  await syncFolder(disk.folders.uploads)
}

/** Returns when it is on the disk. */
export async function writeChunk(
  disk: Disk,
  input: { uploadId: string; chunkIndex: number; bytes: Uint8Array },
): Promise<void> {
  const { bytes } = input
  const start = input.chunkIndex * UPLOAD_CHUNK_BYTES
  const file = await openUploadFile(disk, input.uploadId)
  try {
    for (let written = 0; written < bytes.length; ) {
      const left = bytes.length - written
      const { bytesWritten } = await file.write(bytes, written, left, start + written)
      written += bytesWritten
    }
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** It may be lost, or on another node. */
async function openUploadFile(disk: Disk, uploadId: string): Promise<FileHandle> {
  const path = join(disk.uploadFolder(uploadId), SOURCE_FILE)
  try {
    // Never writes through a link, see linked-source.ts.
    return await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await createUploadFile(disk, uploadId)
    return open(path, 'r+')
  }
}

type StoredChunk = { chunkIndex: number; hash: Uint8Array }

/**
 * Fetches missing ones from the store.
 * @returns indices of lost ones
 */
export async function fetchChunks(
  { disk, media }: Pick<AppDeps, 'disk' | 'media'>,
  { upload, chunks }: { upload: UploadRow; chunks: StoredChunk[] },
): Promise<number[]> {
  const { id: uploadId, fileSize } = upload
  const file = await openUploadFile(disk, uploadId)
  const lost: number[] = []
  const waiting = chunks.values()
  const fetchNext = async () => {
    for (const { chunkIndex, hash } of waiting) {
      const length = chunkLength(fileSize, chunkIndex)
      const target = { buffer: Buffer.alloc(length), position: chunkIndex * UPLOAD_CHUNK_BYTES }
      const { buffer: here } = await file.read(target)
      if ((await hashChunk(here)).equals(hash)) continue
      const body = await media.openRange(chunkKey(uploadId, chunkIndex, hash))
      const bytes = body && (await buffer(body))
      if (bytes && (await hashChunk(bytes)).equals(hash)) {
        await writeChunk(disk, { uploadId, chunkIndex, bytes })
      } else lost.push(chunkIndex)
    }
  }
  try {
    await Promise.all(Array.from({ length: FETCHES }, fetchNext))
  } finally {
    await file.close()
  }
  return lost.sort((one, other) => one - other)
}

export async function hashChunk(bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASH_SLICE_BYTES) {
    hash.update(bytes.subarray(at, at + HASH_SLICE_BYTES))
    await nextTurn()
  }
  return hash.digest()
}

export function chunkLength(fileSize: number, chunkIndex: number): number {
  return Math.min(UPLOAD_CHUNK_BYTES, fileSize - chunkIndex * UPLOAD_CHUNK_BYTES)
}

export function chunkCountOf(fileSize: number): number {
  return Math.ceil(fileSize / UPLOAD_CHUNK_BYTES)
}
