/** Reads files of this machine that become uploads. */
import type { FileHandle } from 'node:fs/promises'
import { AppError } from '#server/platform/errors.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { sampledChunks } from '#shared/sampled-chunks.ts'
import { chunkCountOf, chunkLength, hashChunk } from './chunk-store.ts'

/** The file is another one than was found, or has changed since. */
export class FileChangedError extends AppError {
  constructor() {
    super('conflict', 'The file was changed while it was read.')
  }
}

/** @returns fewer bytes at the end of the file */
export async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

/** @throws FileChangedError if the file is shorter than it was */
export async function readChunk(
  file: FileHandle,
  { fileSize, chunkIndex }: { fileSize: number; chunkIndex: number },
): Promise<Buffer> {
  const length = chunkLength(fileSize, chunkIndex)
  const bytes = await readAt(file, chunkIndex * UPLOAD_CHUNK_BYTES, length)
  if (bytes.length < length) throw new FileChangedError()
  return bytes
}

/**
 * Hashes the chunks by which files are compared, see docs/decisions/0031-duplicates-by-chunk-hashes.md.
 * @returns SHA-256, hexadecimal
 * @throws FileChangedError
 */
export async function hashSampledChunks(file: FileHandle, fileSize: number): Promise<string[]> {
  const hashes: string[] = []
  for (const chunkIndex of sampledChunks(chunkCountOf(fileSize))) {
    const hash = await hashChunk(await readChunk(file, { fileSize, chunkIndex }))
    hashes.push(hash.toString('hex'))
  }
  return hashes
}
