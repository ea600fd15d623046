import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Disk, openDisk } from '#server/platform/files/disk.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { createUploadFile, writeChunk } from '#server/video/upload/chunk-store.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const UPLOAD_ID = 'a'.repeat(32)

const folder = setUpFolder('chunks')
let disk: Disk

beforeAll(async () => {
  disk = openDisk(folder)
  await createUploadFile(disk, UPLOAD_ID)
})

const sourcePath = () => join(disk.uploadFolder(UPLOAD_ID), SOURCE_FILE)
const write = (chunkIndex: number, bytes: Buffer) =>
  writeChunk(disk, { uploadId: UPLOAD_ID, chunkIndex, bytes })

test('chunks lie in the file as they were sent, in any order and several at a time', async () => {
  const content = randomBytes(7 * UPLOAD_CHUNK_BYTES + 12_345)
  const part = (index: number) =>
    content.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)
  await write(7, part(7))
  await Promise.all([5, 2, 0, 6, 1, 4, 3].map((index) => write(index, part(index))))
  const stored = await readFile(sourcePath())
  expect(stored.equals(content)).toBe(true)
})
