import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Disk } from '#server/platform/files/disk.ts'
import { syncFolder } from '#server/platform/files/durable-files.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

const HASH_SLICE_BYTES = 128 * 1024

/** Makes an upload's folder with its empty source file, durably. */
export async function createUploadFile(disk: Disk, uploadId: string): Promise<void> {
  const folder = disk.uploadFolder(uploadId)
  await mkdir(folder, { recursive: true })
  const file = await open(join(folder, SOURCE_FILE), 'a')
  await file.close()
  await syncFolder(folder)
  await syncFolder(disk.folders.uploads)
}

/** Writes one chunk at its place and waits until the disk has it. */
export async function writeChunk(
  disk: Disk,
  input: { uploadId: string; chunkIndex: number; bytes: Buffer },
): Promise<void> {
  const { bytes } = input
  const start = input.chunkIndex * UPLOAD_CHUNK_BYTES
  const file = await open(join(disk.uploadFolder(input.uploadId), SOURCE_FILE), 'r+')
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

/** The SHA-256 of a chunk; the event loop is free between slices of it, of about 0.1 ms. */
export async function hashChunk(bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASH_SLICE_BYTES) {
    hash.update(bytes.subarray(at, at + HASH_SLICE_BYTES))
    await nextTurn()
  }
  return hash.digest()
}

/** How long the chunk at `chunkIndex` of a file must be: the last one is the rest. */
export function chunkLength(fileSize: number, chunkIndex: number): number {
  return Math.min(UPLOAD_CHUNK_BYTES, fileSize - chunkIndex * UPLOAD_CHUNK_BYTES)
}

export function chunkCountOf(fileSize: number): number {
  return Math.ceil(fileSize / UPLOAD_CHUNK_BYTES)
}
