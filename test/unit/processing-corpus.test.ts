import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClipOptions,
  decodeAll,
  makeClip,
  readClip,
  readFlash,
  readSound,
  readStill,
} from '#test/support/clips.ts'
import { type ProcessedClip, processClip, processFile } from '#test/support/processed-clip.ts'

type Shape = Omit<ClipOptions, 'path'>
type Size = [width: number, height: number]

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The files that are served with a picture and, where there is one, a sound. */
function listVideos({ renditions, progressiveFile, playablePath, at }: ProcessedClip): string[] {
  const best = progressiveFile ? [at(progressiveFile)] : []
  return [playablePath, ...best, ...renditions.map(({ file }) => at(file))]
}

/** Holds for whatever somebody may upload. */
async function expectPlayable(made: ProcessedClip, seconds: number): Promise<void> {
  expect(Math.abs(made.durationSeconds - seconds)).toBeLessThan(0.15)
  for (const path of listVideos(made)) {
    const reading = await readClip(path)
    const [picture] = reading.pictures
    expect(Math.abs(reading.durationSeconds - seconds)).toBeLessThan(0.15)
    expect(picture).toMatchObject({
      codec: 'h264',
      pixelFormat: expect.stringMatching(/^yuvj?420p$/),
    })
    const { frames, errors } = await decodeAll(path)
    expect({ frames, errors }).toEqual({ frames: picture?.times.length, errors: 0 })
    const pause = Math.max(0, ...gapsBetween(picture?.times ?? []))
    expect(pause).toBeLessThan(0.25)
    for (const { codec } of reading.sounds) expect(codec).toBe('aac')
  }
}

const gapsBetween = (times: number[]) =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0))

const UHD = { width: 3840, height: 2160, seconds: 0.2 }

const shapes: [name: string, shape: Shape, heights: number[], sizes: Size[]][] = [
  [
    '1080p60',
    { width: 1920, height: 1080, frameRate: 60, seconds: 0.5 },
    [1080, 360],
    [
      [1920, 1080],
      [640, 360],
    ],
  ],
  [
    '4K in 10-bit HEVC',
    { ...UHD, videoCodec: 'hevc', pixelFormat: 'yuv420p10le' },
    [360],
    [[640, 360]],
  ],
  [
    '4K in AV1',
    { ...UHD, container: 'matroska', videoCodec: 'av1', audioCodec: 'opus' },
    [360],
    [[640, 360]],
  ],
  ['10-bit AV1 in MP4', { videoCodec: 'av1', pixelFormat: 'yuv420p10le' }, [180], [[320, 180]]],
  [
    'ProRes in MOV',
    { container: 'mov', videoCodec: 'prores', pixelFormat: 'yuv422p10le', audioCodec: 'pcm' },
    [180],
    [[320, 180]],
  ],
  ['an odd size', { width: 321, height: 181, pixelFormat: 'yuv444p' }, [180], [[320, 180]]],
  ['a clip turned by 180 degrees', { container: 'mov', rotation: 180 }, [180], [[320, 180]]],
  ['a clip turned by 270 degrees', { container: 'mov', rotation: 270 }, [180], [[180, 320]]],
  ['narrow pixels', { sampleAspectRatio: '3/4' }, [180], [[240, 180]]],
  ['mono at 22 kHz', { channels: 1, sampleRate: 22_050 }, [180], [[320, 180]]],
  ['a tenth of a second', { seconds: 0.1, audioSeconds: 0.1 }, [180], [[320, 180]]],
  ['a picture of 16 by 16 pixels', { width: 16, height: 16 }, [180], [[16, 16]]],
]

test.each(shapes)('%s comes out whole', async (_name, shape, heights, sizes) => {
  const options = { seconds: 1, ...shape }
  const made = await processClip(folder, options, heights)
  expect(made.renditions.map(({ width, height }) => [width, height])).toEqual(sizes)
  await expectPlayable(made, options.seconds)
})

describe('picture and sound stay together in', () => {
  test.each<[string, Shape]>([
    ['MP4', {}],
    [
      'an MKV of a variable frame rate',
      { container: 'matroska', videoCodec: 'hevc', audioCodec: 'opus', variableFrameRate: true },
    ],
    ['an AVI', { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3', bFrames: 2 }],
    [
      'a recording that begins late',
      { container: 'matroska', startSeconds: 1.3, audioCodec: 'opus' },
    ],
    [
      'interlaced pictures',
      { container: 'matroska', interlaced: true, frameRate: 50, audioCodec: 'ac3' },
    ],
  ])('%s', async (_name, shape) => {
    const made = await processClip(folder, { seconds: 2, flashSeconds: 1, ...shape }, [180, 120])
    for (const path of listVideos(made)) {
      const [seen, heard] = [await readFlash(path), (await readSound(path)).heardAt]
      expect(Math.abs(seen - 1)).toBeLessThan(0.09)
      expect(Math.abs(heard - seen)).toBeLessThan(0.07)
    }
  })

  test('a sound that begins later than the picture', async () => {
    const shape = { container: 'matroska', audioCodec: 'opus', audioDelaySeconds: 0.4 } as const
    const made = await processClip(folder, { seconds: 2, flashSeconds: 1, ...shape }, [180])
    for (const path of listVideos(made)) {
      expect(Math.abs((await readSound(path)).heardAt - 1.4)).toBeLessThan(0.07)
    }
  })
})

test('a picture that begins a moment after its sound is there from its beginning', async () => {
  // As recorders write it who count the sound encoder's run-in.
  const late = { container: 'matroska', startSeconds: 0.07, audioDelaySeconds: -0.07 } as const
  const made = await processClip(folder, { ...late, seconds: 1, keyFrameSeconds: 5 }, [180, 120])
  expect(made.renditions).toMatchObject([{ copied: true }, { copied: false }])
  await expectPlayable(made, 1.07)
})

describe('colours come out as they were in', () => {
  const SOLID = '0xc83c28'
  test.each<[string, Shape]>([
    ['BT.601', { colors: 'bt601' }],
    ['BT.709', { colors: 'bt709' }],
    ['BT.601 in high definition', { colors: 'bt601', width: 1280, height: 720, seconds: 0.3 }],
    ['full range', { colors: 'bt709', fullRange: true }],
    [
      'full range in BT.601, as phones and webcams record',
      { colors: 'bt601', fullRange: true, container: 'mov' },
    ],
    ['4:4:4', { colors: 'bt709', pixelFormat: 'yuv444p' }],
    ['10 bits', { colors: 'bt709', videoCodec: 'hevc', pixelFormat: 'yuv420p10le' }],
  ])('%s', async (_name, shape) => {
    const made = await processClip(folder, { seconds: 0.5, solid: SOLID, ...shape }, [180, 120])
    for (const path of listVideos(made)) {
      const [red, green, blue] = (await readStill(path)).at(0.5, 0.5)
      const off = Math.max(Math.abs(red - 0xc8), Math.abs(green - 0x3c), Math.abs(blue - 0x28))
      expect(off).toBeLessThan(9)
    }
  })

  test('BT.2020 keeps its greys, and its colours within what BT.709 can show', async () => {
    const wide = { colors: 'bt2020', videoCodec: 'hevc', pixelFormat: 'yuv420p10le' } as const
    const grey = await processClip(folder, { seconds: 0.3, solid: '0x808080', ...wide }, [120])
    for (const value of (await readStill(grey.at('120p.mp4'))).at(0.5, 0.5)) {
      expect(Math.abs(value - 0x80)).toBeLessThan(8)
    }
    const color = await processClip(folder, { seconds: 0.3, solid: SOLID, ...wide }, [120])
    expect((await decodeAll(color.at('120p.mp4'))).colors).toMatchObject({ space: 1, primaries: 1 })
    const [red, green, blue] = (await readStill(color.at('120p.mp4'))).at(0.5, 0.5)
    // The same numbers mean a stronger red in the wider space.
    expect(red).toBeGreaterThan(0xc8)
    expect(Math.max(green, blue)).toBeLessThan(0x3c)
  })
})

test.each(['pq', 'hlg'] as const)(
  'a turned phone clip in %s is upright and neither pale nor black',
  async (dynamicRange) => {
    const made = await processClip(
      folder,
      {
        ...{ container: 'mov', rotation: 90, dynamicRange, seconds: 0.4 },
        ...{ videoCodec: 'hevc', pixelFormat: 'yuv420p10le' },
      },
      [120],
    )
    expect(made.renditions).toMatchObject([{ width: 120, height: 214 }])
    await expectPlayable(made, 0.4)
    // Upright, the test picture's red bar is below the upper edge.
    const [red, green, blue] = (await readStill(made.at('120p.mp4'))).at(0.65, 0.05)
    expect(red).toBeGreaterThan(120)
    expect(Math.max(green, blue)).toBeLessThan(red / 2)
  },
)

test('every sound track of a recording is there, in the progressive file and on its own', async () => {
  const shape = { container: 'matroska', audioTracks: 3, seconds: 1 } as const
  const made = await processClip(folder, shape, [180])
  expect((await readClip(made.playablePath)).sounds).toHaveLength(3)
  expect(made.soundTracks).toHaveLength(2)
})

/** Overwrites a file's bytes, so many after the first place that reads `mark`. */
async function patch(path: string, mark: Buffer, { after, to }: { after: number; to: Buffer }) {
  const bytes = await readFile(path)
  expect(bytes.includes(mark)).toBe(true)
  to.copy(bytes, bytes.indexOf(mark) + after)
  await writeFile(path, bytes)
}

test.each<[string, Shape, (path: string) => Promise<void>]>([
  [
    'a codec that nobody knows, in what OBS records',
    { container: 'matroska' },
    (path) => patch(path, Buffer.from('A_AAC'), { after: 2, to: Buffer.from('XYZ') }),
  ],
  [
    'a kind of AAC that has no decoder, in what would play as it is',
    {},
    // The track's configuration begins with its kind: here the scalable one.
    (path) => patch(path, Buffer.of(5, 128, 128, 128), { after: 5, to: Buffer.of(0x31) }),
  ],
])('of several sound tracks only the one is left out that is of %s', async (_name, shape, harm) => {
  const base = await mkdtemp(join(folder, 'sounds-'))
  const audioLanguages = ['eng', 'deu', 'fra']
  const tracks = { seconds: 2, audioTracks: 3, audioLanguages }
  const source = await makeClip({ path: join(base, 'clip'), ...shape, ...tracks })
  await harm(source)
  const made = await processFile(source, { base, heights: [180] })
  expect((await readClip(made.playablePath)).sounds).toHaveLength(2)
  expect(made.probe.soundLanguage).toBe('deu')
  expect(made.soundLanguage).toBe('deu')
  expect(made.soundTracks).toMatchObject([{ language: 'fra' }])
  const pitches = [made.at('180p.mp4'), made.at(made.soundTracks[0]?.file ?? '')].map(readSound)
  expect((await Promise.all(pitches)).map(({ pitch }) => pitch)).toEqual([880, 1320])
})

describe('of a broken end', () => {
  test.each(['matroska', 'avi'] as const)(
    'in a %s file the whole beginning plays',
    async (container) => {
      const base = join(folder, `cut-${container}`)
      await mkdir(base)
      const path = await makeClip({
        path: join(base, 'clip'),
        container,
        videoCodec: 'mpeg4',
        audioCodec: 'mp3',
        seconds: 3,
      })
      await truncate(path, Math.round((await stat(path)).size * 0.6))
      const made = await processFile(path, { base, heights: [180, 120] })
      expect(made.durationSeconds).toBeGreaterThan(1)
      expect(made.durationSeconds).toBeLessThan(2.7)
      await expectPlayable(made, made.durationSeconds)
    },
  )

  test('in an MP4 with its index in front the whole beginning plays', async () => {
    const base = join(folder, 'cut-mp4')
    await mkdir(base)
    const path = await makeClip({
      path: join(base, 'clip'),
      seconds: 3,
      muxerOptions: { movflags: 'faststart' },
    })
    await truncate(path, Math.round((await stat(path)).size * 0.6))
    const made = await processFile(path, { base, heights: [180, 120] })
    expect(made.durationSeconds).toBeGreaterThan(1)
    for (const video of listVideos(made)) {
      const { frames, errors } = await decodeAll(video)
      expect(errors).toBe(0)
      expect(frames).toBeGreaterThan(30)
    }
  })
})

test('the index of every served file lies in front, for players that read from the start', async () => {
  const made = await processClip(
    folder,
    { seconds: 1, container: 'matroska', audioTracks: 2 },
    [120],
  )
  const sounds = made.soundTracks.map(({ file }) => made.at(file))
  for (const path of [...listVideos(made), ...sounds]) {
    const bytes = await readFile(path)
    expect(bytes.indexOf('moov')).toBeGreaterThan(0)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  }
})
