import { expect, test } from 'vitest'
import { listFirstChunks } from '#client/create/upload/transfer/first-chunks.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

const CHUNK = UPLOAD_CHUNK_BYTES

function box(type: string, bytes: number, isLong = false): Buffer {
  const written = Buffer.alloc(bytes)
  written.writeUInt32BE(isLong ? 1 : bytes)
  written.write(type, 4, 'latin1')
  if (isLong) written.writeBigUInt64BE(BigInt(bytes), 8)
  return written
}

const matroska = Buffer.alloc(3 * CHUNK)
matroska.writeUInt32BE(0x1a_45_df_a3)

test.each([
  ['an index at the end', [box('ftyp', 32), box('mdat', 4 * CHUNK), box('moov', 5000)], [4]],
  [
    'an index over two chunks',
    [box('ftyp', 32), box('mdat', 2 * CHUNK), box('moov', CHUNK)],
    [2, 3],
  ],
  ['a long box', [box('ftyp', 32), box('mdat', 3 * CHUNK, true), box('moov', 99)], [3]],
  ['an index in front', [box('ftyp', 32), box('moov', 5000), box('mdat', 4 * CHUNK)], []],
  [
    'fragments, whose table is at the end',
    [box('ftyp', 32), box('moov', 900), box('moof', 90), box('mdat', 3 * CHUNK)],
    [3],
  ],
  ['Matroska, whose cues are at the end', [matroska], [2]],
  ['no index', [box('ftyp', 32), box('mdat', 3 * CHUNK)], []],
  ['a box without an end', [box('ftyp', 32), Buffer.alloc(3 * CHUNK)], []],
  ['a file that is no video', [Buffer.alloc(3 * CHUNK, 'x')], []],
  ['a tiny file', [Buffer.from('x')], []],
])('the chunks to begin with are those of the index: %s', async (_, parts, expected) => {
  expect(await listFirstChunks(new Blob(parts as Uint8Array<ArrayBuffer>[]))).toEqual(expected)
})
