import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChapters } from '#server/video/processing/source/chapters.ts'
import { readWaveform, WAVEFORM_FILE, WAVEFORM_RATE } from '#shared/waveform.ts'
import { longTest } from '#test/support/long-form.ts'
import { processClip } from '#test/support/processed-clip.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const folder = setUpFolder('moments')

test('the wave form has a peak where the sound has one, and is as long as the video', async () => {
  const made = await processClip(folder, { seconds: 4, flashSeconds: 2.5 }, [96])
  expect(made.files).toContainEqual({ name: WAVEFORM_FILE, kind: 'storyboard', bytes: 80 })
  const peaks = await readFile(made.at(WAVEFORM_FILE))
  const loud = [...peaks].flatMap((peak, at) => (peak > 12 ? [at / WAVEFORM_RATE] : []))
  expect(loud.length).toBeGreaterThan(0)
  for (const seconds of loud) expect(Math.abs(seconds - 2.5)).toBeLessThanOrEqual(0.2)
  const range = { fromSeconds: 2, toSeconds: 4, parts: 2 }
  expect(readWaveform(peaks, range).map((level) => level > 0.05)).toEqual([true, false])
})

longTest(
  'a beep in a silent recording of half a minute is found in the pass that makes its ladder',
  async () => {
    const made = await processClip(folder, { seconds: 32, frameRate: 10, flashSeconds: 20 }, [96])
    const loud = made.moments.filter(({ source }) => source === 'loud')
    expect(loud).toHaveLength(1)
    expect(Math.abs((loud[0]?.atSeconds ?? 0) - 20)).toBeLessThanOrEqual(1)
  },
)

test('a video without sound has no wave form', async () => {
  const made = await processClip(folder, { seconds: 2, audioCodec: null }, [96])
  expect(made.files.map(({ name }) => name)).not.toContain(WAVEFORM_FILE)
})

const bytes = (...parts: (Buffer | string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  )
const numbers = (...values: number[]) => {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4)
  return buffer
}
const box = (type: string, ...parts: (Buffer | string | number[])[]) => {
  const body = bytes(...parts)
  return bytes(numbers(body.length + 8), type, body)
}
const write = async (name: string, content: Buffer) => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const MARKERS = [
  { seconds: 12, title: 'Ace' },
  { seconds: 30, title: 'Clutch' },
]

test('chapters of a text track, as OBS writes its markers, are read with their titles', async () => {
  const texts = ['Start', 'Ace', 'Clutch'].map((text) => bytes([0, text.length], text))
  const file = box('ftyp', 'isom')
  const samples = box('mdat', ...texts)
  const head = box('tkhd', numbers(0, 0, 0, 2))
  const table = box(
    'stbl',
    box('stts', numbers(0, 3, 1, 12_000, 1, 18_000, 1, 5000)),
    box('stsz', numbers(0, 0, 3, ...texts.map(({ length }) => length))),
    box('stsc', numbers(0, 1, 1, 3, 1)),
    box('stco', numbers(0, 1, file.length + 8)),
  )
  const media = box('mdia', box('mdhd', numbers(0, 0, 0, 1000)), box('minf', table))
  const picture = box(
    'trak',
    box('tkhd', numbers(0, 0, 0, 1)),
    box('tref', box('chap', numbers(2))),
  )
  const index = box('moov', picture, box('trak', head, media))
  const path = await write('obs.mp4', bytes(file, samples, index))
  const source = { container: 'mp4', offsetSeconds: 0 } as const
  expect(await readChapters(path, source)).toEqual(MARKERS)
  const cut = await write('cut.mp4', bytes(file, samples, index.subarray(0, index.length - 30)))
  expect(await readChapters(cut, source)).toEqual([])
})

test('chapters of a list in the index, and of Matroska, are read', async () => {
  const entry = ({ seconds, title }: { seconds: number; title: string }) =>
    bytes(numbers(0, seconds * 1e7), [title.length], title)
  const list = box('chpl', [1, 0, 0, 0, 0, 0, 0, 0, 2], ...MARKERS.map(entry))
  const path = await write('nero.mp4', bytes(box('ftyp', 'isom'), box('moov', box('udta', list))))
  expect(await readChapters(path, { container: 'mp4', offsetSeconds: 2 })).toEqual([
    { seconds: 10, title: 'Ace' },
    { seconds: 28, title: 'Clutch' },
  ])

  const element = (id: number[], ...parts: (Buffer | string | number[])[]) => {
    const body = bytes(...parts)
    return bytes(id, [0x40 | (body.length >> 8), body.length & 255], body)
  }
  const atoms = MARKERS.map(({ seconds, title }) => {
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(seconds) * 1_000_000_000n)
    const display = element([0x80], element([0x85], title))
    return element([0xb6], element([0x91], time), display)
  })
  const chapters = element([0x10, 0x43, 0xa7, 0x70], element([0x45, 0xb9], ...atoms))
  const head = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], 'matroska'))
  const unknownSize = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
  const segment = bytes([0x18, 0x53, 0x80, 0x67], unknownSize, chapters)
  const matroska = await write('obs.mkv', bytes(head, segment))
  expect(await readChapters(matroska, { container: 'matroska', offsetSeconds: 0 })).toEqual(MARKERS)
})
