import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeCredits } from '#server/video/montage/montage-credits.ts'
import { MediaInterruptedError } from '#server/video/processing/media-errors.ts'
import type { MontageTask } from '#server/video/processing/tasks/media-task.ts'
import { measurePart } from '#server/video/processing/tasks/montage-loudness.ts'
import { chooseCanvas, chooseFrameRate } from '#server/video/processing/tasks/montage-plan.ts'
import { type RunOptions, runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { DESCRIPTION_MAX } from '#shared/limits.ts'
import { planMontage } from '#shared/montage.ts'
import {
  type ClipOptions,
  decodeAll,
  makeClip,
  readClip,
  readFlash,
  readSound,
  readStill,
} from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'

let folder: string
let count = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "a montage's, [1]: "))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Part = MontageTask['parts'][number]

async function part(
  name: string,
  [fromSeconds, toSeconds]: [number, number],
  options: Omit<ClipOptions, 'path'>,
): Promise<Part> {
  const sourcePath = await makeClip({ path: join(folder, `clip-${count++}`), ...options })
  return { sourcePath, name, fromSeconds, toSeconds }
}

async function make(parts: Part[], options: Partial<MontageTask & RunOptions> = {}) {
  const { signal, onProgress, timeoutMs = 120_000, memoryLimitBytes, ...task } = options
  const outputFolder = await mkdtemp(join(folder, 'out-'))
  const limits = {
    timeoutMs,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
    ...(memoryLimitBytes && { memoryLimitBytes }),
  }
  const whole = { transition: 'fade', titleCard: null, ...task } as const
  const made = runMediaTask({ kind: 'montage', parts, outputFolder, ...whole }, limits)
  return { made, outputFolder, path: join(outputFolder, 'video.mp4') }
}

const isNear = (color: number[], wanted: number[]) =>
  color.every((channel, index) => Math.abs(channel - (wanted[index] ?? 0)) < 12)

test('parts of other shapes, rates and loudness become one video that fades from each to the next', async () => {
  const red = await part('Red', [1, 4], { seconds: 4, solid: '0xc83c28', soundGain: -4 })
  const blue = await part('Blue', [0.5, 3.5], {
    ...{ width: 180, height: 320, frameRate: 60, seconds: 4, solid: '0x2840c8' },
    soundGain: -14,
  })
  const silent = await part('Silent', [0, 2], { audioCodec: null, solid: '0x20a040', seconds: 2 })
  const titleCard = { title: 'Best of {\\b1} the week', subtitle: '3 clips by Ann' }
  const { made, path } = await make([red, blue, silent], { titleCard })

  const seconds = 2.5 + 3 + 3 + 2 - 3 * 0.3
  expect(await made).toEqual({
    ...{ durationSeconds: seconds, width: 320, height: 180 },
    ...{ videoFile: 'video.mp4', posterFile: 'poster.jpg' },
  })
  const { pictures, sounds } = await readClip(path)
  expect(pictures[0]).toMatchObject({ codec: 'h264', width: 320, height: 180, pixelAspect: 1 })
  expect(sounds).toMatchObject([{ codec: 'aac', sampleRate: 48_000, channels: 2 }])
  expect(await decodeAll(path)).toMatchObject({ frames: seconds * 60, errors: 0 })
  expect((await readSound(path)).seconds).toBeCloseTo(seconds, 1)

  const { starts } = planMontage({ seconds: [3, 3, 2], transition: 'fade', titleCard: true })
  const [a = 0, b = 0, c = 0] = starts
  const colorAt = async (time: number, x = 0.5) => (await readStill(path, time)).at(x, 0.5)
  expect(isNear(await colorAt(1, 0.95), [0x0b, 0x0d, 0x12])).toBe(true)
  expect(isNear(await colorAt(a + 1), [0xc8, 0x3c, 0x28])).toBe(true)
  expect(isNear(await colorAt(b + 0.15), [0x78, 0x3e, 0x78])).toBe(true)
  expect(isNear(await colorAt(b + 1), [0x28, 0x40, 0xc8])).toBe(true)
  expect(isNear(await colorAt(b + 1, 0.1), [0, 0, 0])).toBe(true)
  expect(isNear(await colorAt(c + 1), [0x20, 0xa0, 0x40])).toBe(true)

  for (const [from, to] of [
    [a + 0.4, b - 0.1],
    [b + 0.4, c - 0.1],
  ] as const) {
    const loudness = await measurePart({ sourcePath: path, fromSeconds: from, toSeconds: to })
    expect(Math.abs((loudness ?? 0) + 16)).toBeLessThan(1.5)
  }
  const rest = { sourcePath: path, fromSeconds: c + 0.5, toSeconds: seconds }
  expect(await measurePart(rest)).toBeNull()
})

test('a hard cut begins and ends with the chosen picture, sound and picture together', async () => {
  const options = { seconds: 6, flashSeconds: 3.5, keyFrameSeconds: 2, bFrames: 2 }
  const flash = await part('Flash', [2.433, 5], options)
  const { made, path } = await make([flash, { ...flash, fromSeconds: 0, toSeconds: 2 }], {
    transition: 'cut',
  })
  expect((await made).durationSeconds).toBeCloseTo(2.567 + 2, 1)
  expect((await decodeAll(path)).frames).toBe(77 + 60)
  expect(Math.abs((await readFlash(path)) - 1.067)).toBeLessThan(1 / 30)
  expect(Math.abs((await readSound(path)).heardAt - 1.067)).toBeLessThan(0.02)
})

test('a part that begins between two pictures has sound and picture together', async () => {
  const options = { seconds: 4, flashSeconds: 2, keyFrameSeconds: 1 }
  const source = await part('Flash', [0, 3.5], options)
  const apart = async (path: string) => (await readFlash(path)) - (await readSound(path)).heardAt
  for (const fromSeconds of [0.503, 0.512, 0.529]) {
    const { made, path } = await make([{ ...source, fromSeconds }], { transition: 'cut' })
    await made
    const moved = (await apart(path)) - (await apart(source.sourcePath))
    expect(Math.abs(moved)).toBeLessThan(0.02)
  }
})

test('what cannot be read is named, and nothing of the work stays', async () => {
  const fine = await part('OK', [0, 2], {})
  const sourcePath = join(folder, 'broken')
  await writeFile(sourcePath, 'no video at all')
  const broken = { ...fine, sourcePath, name: 'The lost one' }
  const { made, outputFolder } = await make([fine, broken])
  await expect(made).rejects.toThrow('“The lost one” could not be read.')
  expect(await readdir(outputFolder)).toEqual([])
})

test('a montage that is cancelled leaves nothing', async () => {
  const fine = await part('OK', [0, 2], {})
  const abort = new AbortController()
  const { made, outputFolder } = await make([fine, fine], {
    signal: abort.signal,
    onProgress: () => abort.abort(),
  })
  await expect(made).rejects.toBeInstanceOf(MediaInterruptedError)
  expect(await readdir(outputFolder)).toEqual([])
})

test.each([
  [[30, 30], 30],
  [[59.94, 30], 60],
  [[23.976], 24],
  [[15, 12], 30],
  [[144], 60],
  [[0], 30],
])('parts at %o pictures a second are shown at %i', (rates, rate) => {
  expect(chooseFrameRate(rates)).toBe(rate)
})

test.each([
  [[[640, 480]], [640, 480]],
  [
    [
      [640, 480],
      [1280, 720],
    ],
    [1280, 720],
  ],
  [[[3440, 1440]], [2580, 1080]],
  [
    [
      [1080, 1920],
      [720, 960],
    ],
    [1080, 1920],
  ],
  [
    [
      [1080, 1920],
      [1920, 1080],
    ],
    [1920, 1080],
  ],
])('pictures of %o share one of %o', (sizes, [width, height]) => {
  const pictures = sizes.map(([width = 0, height = 0]) => ({ width, height }))
  expect(chooseCanvas(pictures)).toEqual({ width, height })
})

test('credits fit into a description, however long the names', () => {
  const credit = { title: 'x'.repeat(100), ownerName: 'y'.repeat(50), startSeconds: 61 }
  const url = 'https://clips.example.org/clip/123456'
  expect(writeCredits([{ ...credit, title: 'The shot', ownerName: 'Ann', url }])).toBe(
    `1:01 The shot — by Ann ${url}`,
  )
  expect(writeCredits([{ ...credit, title: 'The shot', ownerName: null, url }])).toBe(
    `1:01 The shot — ${url}`,
  )
  const many = writeCredits(Array.from({ length: 50 }, () => ({ ...credit, url })))
  expect(many.length).toBeLessThan(DESCRIPTION_MAX)
  expect(many.split('\n').filter((line) => line.endsWith(url))).toHaveLength(50)
})

longTest(
  'twenty parts of 1080p keep within the memory of two',
  async () => {
    const options = { width: 1920, height: 1080, frameRate: 60, seconds: 2 }
    const one = await part('One', [0, 2], options)
    const memoryLimitBytes = 800 * 1024 ** 2
    const parts = Array.from({ length: 20 }, () => one)
    const { made, path } = await make(parts, { memoryLimitBytes, timeoutMs: 900_000 })
    expect((await made).durationSeconds).toBeCloseTo(20 * 2 - 19 * 0.3, 3)
    expect((await decodeAll(path)).errors).toBe(0)
  },
  900_000,
)
