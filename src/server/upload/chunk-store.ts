import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { type MediaStore, SOURCE_FILE, syncFolder } from '../files/media-store.ts'
import { giveBackPages, lendPages } from './page-buffers.ts'

/** Not every system has `O_DIRECT`. */
const { O_RDWR, O_DIRECT = 0 } = constants as { O_RDWR: number; O_DIRECT?: number }
/** How a file system says that it cannot, or not in such pieces. */
const NOT_DIRECT = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP']
/** What the pieces are made of that every disk of today takes; bytes. */
const PAGE_BYTES = 4096

const HASH_SLICE_BYTES = 128 * 1024

/** Makes an upload's folder with its empty source file, durably. */
export async function createUploadFile(media: MediaStore, uploadId: string): Promise<void> {
  const folder = media.uploadFolder(uploadId)
  await mkdir(folder, { recursive: true })
  const file = await open(join(folder, SOURCE_FILE), 'a')
  await file.close()
  await syncFolder(folder)
  await syncFolder(media.folders.uploads)
}

/**
 * Writes one chunk at its place and waits until the disk has it. Whole pages go past the system's cache where they can:
 * that saves a copy in the kernel, and the memory for what is not read soon.
 */
export async function writeChunk(
  media: MediaStore,
  input: { uploadId: string; chunkIndex: number; bytes: Buffer },
): Promise<void> {
  const { bytes } = input
  const path = join(media.uploadFolder(input.uploadId), SOURCE_FILE)
  const start = input.chunkIndex * UPLOAD_CHUNK_BYTES
  const pages = O_DIRECT && bytes.length % PAGE_BYTES === 0 ? lendPages() : undefined
  if (pages) {
    const length = bytes.copy(pages)
    try {
      const whole = pages.subarray(0, length)
      return await writeDurably(path, { flags: O_RDWR | O_DIRECT, bytes: whole, start })
    } catch (error) {
      if (!NOT_DIRECT.includes(String((error as NodeJS.ErrnoException).code))) throw error
    } finally {
      giveBackPages(pages)
    }
  }
  await writeDurably(path, { flags: O_RDWR, bytes, start })
}

async function writeDurably(
  path: string,
  { flags, bytes, start }: { flags: number; bytes: Buffer; start: number },
): Promise<void> {
  const file = await open(path, flags)
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
