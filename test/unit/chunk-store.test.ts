import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MediaStore, openMediaStore, SOURCE_FILE } from '#server/files/media-store.ts'
import { createUploadFile, writeChunk } from '#server/upload/chunk-store.ts'
import { giveBackPages, lendPages } from '#server/upload/page-buffers.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

const UPLOAD_ID = 'a'.repeat(32)

let folder: string
let media: MediaStore

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-chunks-'))
  media = openMediaStore(folder)
  await createUploadFile(media, UPLOAD_ID)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const sourcePath = () => join(media.uploadFolder(UPLOAD_ID), SOURCE_FILE)
const write = (chunkIndex: number, bytes: Buffer) =>
  writeChunk(media, { uploadId: UPLOAD_ID, chunkIndex, bytes })

/** What every open file writes with, watched until the test is over. */
async function watchWrites(): Promise<ReturnType<typeof vi.spyOn>> {
  const file = await open(sourcePath())
  const prototype = Object.getPrototypeOf(file)
  await file.close()
  return vi.spyOn(prototype, 'write')
}

test('chunks lie in the file as they were sent, in any order and several at a time', async () => {
  const content = randomBytes(7 * UPLOAD_CHUNK_BYTES + 12_345)
  const part = (index: number) =>
    content.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)
  await write(7, part(7))
  await Promise.all([5, 2, 0, 6, 1, 4, 3].map((index) => write(index, part(index))))
  const stored = await readFile(sourcePath())
  expect(stored.equals(content)).toBe(true)
})

test('a whole chunk is written past the cache where the file system can', async ({ skip }) => {
  const { O_RDWR, O_DIRECT } = constants
  if (!O_DIRECT) return skip('This system knows no such writing.')
  const file = await open(sourcePath(), O_RDWR | O_DIRECT).catch(() => undefined)
  await file?.close()
  if (!file) return skip('This file system cannot.')
  const writes = await watchWrites()
  await write(0, randomBytes(UPLOAD_CHUNK_BYTES + 1).subarray(1))
  // One more would be the way for file systems that cannot.
  expect(writes).toHaveBeenCalledTimes(1)
  writes.mockRestore()
})

test('a chunk is written through the cache where the file system cannot', async ({ skip }) => {
  if (!constants.O_DIRECT) return skip('This system writes in no other way.')
  const bytes = randomBytes(UPLOAD_CHUNK_BYTES)
  const writes = await watchWrites()
  writes.mockRejectedValueOnce(Object.assign(new Error('EINVAL'), { code: 'EINVAL' }))
  await write(1, bytes)
  writes.mockRestore()
  const stored = await readFile(sourcePath())
  const start = UPLOAD_CHUNK_BYTES
  expect(stored.subarray(start, start + bytes.length).equals(bytes)).toBe(true)
})

test('no two chunks have the same memory, and there is no end to giving it back', () => {
  for (let turn = 0; turn < 3; turn++) {
    const lent = Array.from({ length: 6 }, lendPages).filter((pages) => pages !== undefined)
    expect(new Set(lent.map(({ buffer }) => buffer)).size).toBe(lent.length)
    expect(lent.length).toBe(4)
    for (const pages of lent) giveBackPages(pages)
  }
})
