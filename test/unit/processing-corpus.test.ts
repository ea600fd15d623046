import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ClipOptions,
  decodeAll,
  makeClip,
  readClip,
  readSound,
  readStill,
} from '#test/support/clips.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import {
  listVideos,
  type ProcessedClip,
  processClip,
  processFile,
} from '#test/support/processed-clip.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

type Shape = Omit<ClipOptions, 'path'>
type Size = [width: number, height: number]

const folder = setUpFolder('corpus')

/** Holds for whatever a user may upload. */
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

test.each(
  quickCases<[string, Shape, Size]>(
    [
      ['a tenth of a second', { seconds: 0.1, audioSeconds: 0.1 }, [320, 180]],
      ['a picture of 16 by 16 pixels', { seconds: 1, width: 16, height: 16 }, [16, 16]],
    ],
    ['a tenth of a second'],
  ),
)('%s comes out whole', async (_name, shape, [width, height]) => {
  const made = await processClip(folder, shape, [180])
  expect(made.renditions).toMatchObject([{ width, height }])
  await expectPlayable(made, shape.seconds ?? 0)
})

longTest('a picture that begins a moment after its sound is there from its beginning', async () => {
  // As recorders write it who count the sound encoder's run-in.
  const late = { container: 'matroska', startSeconds: 0.07, audioDelaySeconds: -0.07 } as const
  const made = await processClip(folder, { ...late, seconds: 1, keyFrameSeconds: 5 }, [180, 120])
  expect(made.renditions).toMatchObject([{ copied: true }, { copied: false }])
  await expectPlayable(made, 1.07)
})

describe('colours come out as they were in', () => {
  const SOLID = '0xc83c28'
  const SOLID_IN_BT709 = [0xc8, 0x3c, 0x28]
  /** The same numbers with other primaries, reckoned by hand from these and the curve of sRGB. */
  const SOLID_IN_BT601 = [195, 66, 39]
  const PHONE_P3 = { colors: 'p3', solid: '0xc86450' } as const
  const HEVC10 = { videoCodec: 'hevc', pixelFormat: 'yuv420p10le' } as const

  const cases: [string, Shape, number[]][] = [
    ['BT.601', { colors: 'bt601' }, SOLID_IN_BT601],
    ['green in BT.601', { colors: 'bt601', solid: '0x3cc850', container: 'avi' }, [76, 197, 79]],
    [
      'BT.601 in high definition',
      { colors: 'bt601', width: 1280, height: 720, seconds: 0.3 },
      SOLID_IN_BT601,
    ],
    [
      'full range in BT.601, as phones and webcams record',
      { colors: 'bt601', fullRange: true, container: 'mov' },
      SOLID_IN_BT601,
    ],
    ['BT.709', { colors: 'bt709' }, SOLID_IN_BT709],
    ['full range', { colors: 'bt709', fullRange: true }, SOLID_IN_BT709],
    ['4:4:4', { colors: 'bt709', pixelFormat: 'yuv444p' }, SOLID_IN_BT709],
    ['10 bits', { colors: 'bt709', ...HEVC10 }, SOLID_IN_BT709],
    ['Display P3', PHONE_P3, [215, 93, 73]],
    ['Display P3 in 10 bits', { ...PHONE_P3, ...HEVC10 }, [215, 93, 73]],
    [
      'Display P3 on its side, in full range',
      { ...PHONE_P3, fullRange: true, container: 'mov', rotation: 90 },
      [215, 93, 73],
    ],
  ]

  const quick = ['full range in BT.601, as phones and webcams record']

  test.each(quickCases(cases, quick))('%s', async (_name, shape, expected) => {
    const made = await processClip(folder, { seconds: 0.5, solid: SOLID, ...shape }, [180, 120])
    const poster = join(dirname(made.playablePath), 'poster.jpg')
    for (const path of [...listVideos(made), poster]) {
      const color = (await readStill(path)).at(0.5, 0.5)
      const off = color.map((value, index) => Math.abs(value - (expected[index] ?? 0)))
      expect(Math.max(...off)).toBeLessThan(9)
    }
  })

  longTest('all steps of a recording in Display P3 say that they are in BT.709', async () => {
    const made = await processClip(folder, { seconds: 0.5, colors: 'p3' }, [180, 120])
    for (const { file } of made.renditions) {
      expect((await decodeAll(made.at(file))).colors).toMatchObject({ space: 1, primaries: 1 })
    }
  })

  longTest('BT.2020 keeps its greys, and its colours within what BT.709 can show', async () => {
    const wide = { colors: 'bt2020', ...HEVC10 } as const
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

test('every sound track of a recording is there, in the progressive file and on its own', async () => {
  const shape = { container: 'matroska', audioTracks: 3, seconds: 1 } as const
  const made = await processClip(folder, shape, [180])
  expect((await readClip(made.playablePath)).sounds).toHaveLength(3)
  expect(made.soundTracks).toHaveLength(2)
})

const smallSounds: [string, Shape, number][] = [
  ['Opus of 24 kbit/s', { audioCodec: 'opus', audioBitRate: 24_000 }, 64_000],
  ['Opus of 80 kbit/s', { audioCodec: 'opus', audioBitRate: 80_000 }, 64_000],
  ['MP3 of 32 kbit/s in mono', { audioCodec: 'mp3', audioBitRate: 32_000, channels: 1 }, 48_000],
  [
    'MP3 of 64 kbit/s beside a picture to encode',
    { audioCodec: 'mp3', audioBitRate: 64_000, channels: 1, videoCodec: 'mpeg4' },
    48_000,
  ],
]

test.each(quickCases(smallSounds, ['Opus of 24 kbit/s']))(
  'no sound takes more than its %s, or than speech needs',
  async (_name, shape, least) => {
    const base = await mkdtemp(join(folder, 'sound-'))
    const clip = { seconds: 6, audioTracks: 2, container: 'matroska' } as const
    const source = await makeClip({ path: join(base, 'clip'), ...clip, ...shape })
    const made = await processFile(source, { base, heights: [180, 120] })
    const ratesOf = async (path: string) =>
      (await readClip(path)).sounds.map(({ bytes }) => (bytes * 8) / clip.seconds)
    // The encoder keeps to its rate on average only.
    const most = 1.03 * Math.max(least, ...(await ratesOf(source)))
    const alone = made.files.filter(({ name }) => name.endsWith('.m4a'))
    for (const path of [...listVideos(made), ...alone.map(({ name }) => made.at(name))]) {
      for (const rate of await ratesOf(path)) expect(rate).toBeLessThanOrEqual(most)
    }
  },
)

/** Overwrites a file's bytes, so many after the first place that reads `mark`. */
async function patch(path: string, mark: Buffer, { after, to }: { after: number; to: Buffer }) {
  const bytes = await readFile(path)
  expect(bytes.includes(mark)).toBe(true)
  to.copy(bytes, bytes.indexOf(mark) + after)
  await writeFile(path, bytes)
}

test.each(
  quickCases<[string, Shape, (path: string) => Promise<void>]>(
    [
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
    ],
    ['a codec that nobody knows, in what OBS records'],
  ),
)('of several sound tracks only the one is left out that is of %s', async (_name, shape, harm) => {
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
  const pitches = [made.at('sound-1-stream.m4a'), made.at(made.soundTracks[0]?.file ?? '')].map(
    readSound,
  )
  expect((await Promise.all(pitches)).map(({ pitch }) => pitch)).toEqual([880, 1320])
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
