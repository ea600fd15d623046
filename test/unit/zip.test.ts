import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openPromise } from 'yauzl'
import { type ZipEntry, zipPieces } from '#server/desk/account-data/zip.ts'
import { piecesBytes } from '#server/desk/backup/archive-pieces.ts'

const modifiedAt = new Date('2024-05-06T07:08:10Z')

/** Writes an archive without the content of its large files, which is left as a hole. */
async function writeSparse(entries: (ZipEntry & { content?: string })[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-zip-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'archive.zip')
  const file = await open(path, 'w')
  let at = 0
  let together: Buffer[] = []
  const write = async () => {
    const bytes = Buffer.concat(together)
    await file.write(bytes, 0, bytes.length, at)
    at += bytes.length
    together = []
  }
  for (const piece of zipPieces(entries)) {
    const bytes = 'make' in piece ? piece.make() : Buffer.from(piece.entry.content ?? '')
    together.push(bytes)
    if (bytes.length === piece.bytes) continue
    await write()
    at += piece.bytes - bytes.length
  }
  await write()
  await file.close()
  return path
}

test('files above 4 GiB, and files behind them, have their sizes and places in ZIP64 fields', async () => {
  const large = 5_000_000_000
  const content = 'the small file'
  const entries = [
    { name: 'files/large.mp4', bytes: large, modifiedAt, crc32: 0 },
    { name: 'small.txt', bytes: content.length, modifiedAt, crc32: crc32(content), content },
  ]
  const zip = await openPromise(await writeSparse(entries), { autoClose: false })
  onTestFinished(() => zip.close())
  const found = await Array.fromAsync(zip.eachEntry())
  expect(found.map(({ fileName, uncompressedSize }) => [fileName, uncompressedSize])).toEqual([
    ['files/large.mp4', large],
    ['small.txt', content.length],
  ])
  const [, small] = found
  if (!small) throw new Error('The small file is missing.')
  expect(small.getLastModDate({ timezone: 'UTC' })).toEqual(modifiedAt)
  const pieces = await (await zip.openReadStreamPromise(small)).toArray()
  expect(Buffer.concat(pieces).toString()).toBe(content)
})

test('an archive may have more than 65,535 files', async () => {
  const count = 70_000
  const entries = Array.from({ length: count }, (_, index) => ({
    ...{ name: `${index}.vtt`, bytes: 0, modifiedAt, crc32: 0 },
  }))
  const path = await writeSparse(entries)
  const zip = await openPromise(path)
  let seen = 0
  for await (const { fileName } of zip.eachEntry()) {
    if (fileName !== `${seen}.vtt`) throw new Error(`${fileName} is not in its place.`)
    seen++
  }
  expect(seen).toBe(count)
  expect(piecesBytes(zipPieces(entries))).toBeGreaterThan(count * 76)
})
