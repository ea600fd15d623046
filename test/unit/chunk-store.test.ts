import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openMediaStore, SOURCE_FILE } from '#server/media/media-store.ts'
import { giveBackChunkBuffer, lendChunkBuffer } from '#server/upload/chunk-buffers.ts'
import { createUploadFile, writeChunk } from '#server/upload/chunk-store.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

let folder: string
const lent: Buffer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-chunks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

afterEach(() => {
  for (const buffer of lent.splice(0)) giveBackChunkBuffer(buffer)
})

function lend(): Buffer {
  const buffer = lendChunkBuffer()
  lent.push(buffer)
  return buffer
}

/** Bytes in the memory that requests are read into. */
function lendBytes(content: Buffer): Buffer {
  const bytes = lend().subarray(0, content.length)
  content.copy(bytes)
  return bytes
}

test('chunks lie in the file as they were sent, wherever their bytes are in memory', async () => {
  const media = openMediaStore(folder)
  const uploadId = 'a'.repeat(32)
  await createUploadFile(media, uploadId)
  const content = randomBytes(3 * UPLOAD_CHUNK_BYTES + 12_345)
  const part = (index: number) =>
    content.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)
  const shifted = Buffer.alloc(UPLOAD_CHUNK_BYTES + 1).subarray(1)
  part(1).copy(shifted)
  const chunks = [lendBytes(part(0)), shifted, lendBytes(part(2)), lendBytes(part(3))]
  for (const chunkIndex of [2, 3, 0, 1]) {
    await writeChunk(media, { uploadId, chunkIndex, bytes: chunks[chunkIndex] as Buffer })
  }
  const stored = await readFile(join(media.uploadFolder(uploadId), SOURCE_FILE))
  expect(stored.equals(content)).toBe(true)
})

test('a disk can fetch the bytes out of the memory that is lent', async ({ skip }) => {
  const { O_RDWR, O_CREAT, O_DIRECT } = constants
  if (!O_DIRECT) skip()
  const file = await open(join(folder, 'direct'), O_RDWR | O_CREAT | O_DIRECT).catch(() => skip())
  const bytes = lendBytes(randomBytes(UPLOAD_CHUNK_BYTES))
  expect(await file.write(bytes, 0, bytes.length, 0)).toMatchObject({ bytesWritten: bytes.length })
  await file.close()
})

test('no two requests have the same memory, and some of it is kept', () => {
  const before = Array.from({ length: 6 }, lend)
  expect(new Set(before.map(({ buffer }) => buffer)).size).toBe(6)
  for (const buffer of lent.splice(0)) giveBackChunkBuffer(buffer)
  const after = Array.from({ length: 6 }, lend)
  expect(new Set(after.map(({ buffer }) => buffer)).size).toBe(6)
  expect(after.filter((buffer) => before.includes(buffer)).length).toBe(4)
})
