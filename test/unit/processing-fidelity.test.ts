import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { limitBitRate } from '#server/video/processing/encode/bit-rates.ts'
import { planRenditionSizes } from '#server/video/processing/encode/rendition-size.ts'
import { readMovieSeconds } from '#server/video/processing/source/mp4-boxes.ts'
import {
  type ClipOptions,
  comparePictures,
  makeClip,
  readClip,
  readStill,
} from '#test/support/clips.ts'
import { parseMedia } from '#test/support/hls.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { type ProcessedClip, processFile, sizesOf } from '#test/support/processed-clip.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

type Shape = Omit<ClipOptions, 'path'>

const folder = setUpFolder('fidelity')

async function process(
  shape: Shape,
  heights: number[],
): Promise<ProcessedClip & { source: string }> {
  const base = await mkdtemp(join(folder, 'clip-'))
  const source = await makeClip({ path: join(base, 'clip'), ...shape })
  return { ...(await processFile(source, { base, heights })), source }
}

/** Of the playlist, as players reckon the length of a stream. */
async function playlistSeconds({ at }: ProcessedClip, playlistFile: string): Promise<number> {
  const { segments } = parseMedia(await readFile(at(playlistFile), 'utf8'))
  return segments.reduce((sum, { seconds }) => sum + seconds, 0)
}

describe('a last picture that is shown for long is, in', () => {
  const held = { seconds: 3, variableFrameRate: true, lastPictureSeconds: 1.6 }
  /** 89 frames of a thirtieth of a second come before it. */
  const end = 89 / 30 + 1.6

  test.each(
    quickCases<[string, Shape]>(
      [
        ['an MP4', { audioCodec: null }],
        ['an MP4 with B-frames', { bFrames: 2, audioCodec: null }],
        ['an MP4 with B-frames and a shorter sound', { bFrames: 2 }],
        ['an MKV', { container: 'matroska', audioCodec: null }],
        ['an MKV with B-frames', { container: 'matroska', bFrames: 2, audioCodec: null }],
        ['an MKV with a shorter sound to encode', { container: 'matroska', audioCodec: 'opus' }],
      ],
      ['an MP4 with B-frames and a shorter sound'],
    ),
  )('%s', async (_name, shape) => {
    const made = await process({ ...held, ...shape }, [180, 120])
    expect(made.durationSeconds).toBeCloseTo(end, 2)
    expect(await readMovieSeconds(made.playablePath)).toBeCloseTo(end, 2)
    for (const { file, playlistFile } of made.renditions) {
      expect(await playlistSeconds(made, playlistFile)).toBeCloseTo(end, 2)
      const { pictures, durationSeconds } = await readClip(made.at(file))
      expect(durationSeconds).toBeCloseTo(end, 1)
      const times = pictures[0]?.times ?? []
      // All pictures are where they were; the last one may be there once more.
      const { pictures: own } = await readClip(made.source)
      const expected = own[0]?.times ?? []
      expect(times.length - expected.length).toBeLessThanOrEqual(1)
      for (const [index, time] of expected.entries()) expect(times[index]).toBeCloseTo(time, 2)
    }
  })
})

describe('a start that an edit list leaves out is left out, of', () => {
  test.each(
    quickCases<[string, Shape]>(
      [
        ['pictures in their order', {}],
        ['B-frames', { bFrames: 2 }],
        ['pictures without a sound', { audioCodec: null, keyFrameSeconds: 20 }],
        ['a second', { startSeconds: -1, bFrames: 2 }],
      ],
      ['a second'],
    ),
  )('%s', async (_name, shape) => {
    const cut = { frameRate: 25, startSeconds: -0.08, keyFrameSeconds: 2, seconds: 4, ...shape }
    const blackUntil = 2.5 + cut.startSeconds
    const made = await process({ ...cut, blackSeconds: 2.5 }, [180, 120])
    const end = cut.seconds + cut.startSeconds
    for (const { file, playlistFile } of made.renditions) {
      expect(Math.abs((await playlistSeconds(made, playlistFile)) - end)).toBeLessThan(0.05)
      const matches = await comparePictures(made.at(file), made.source)
      expect(matches.map(({ seconds }) => Math.round(seconds * 25))).toEqual(
        Array.from({ length: Math.round(end * 25) }, (_, index) => index),
      )
      expect(Math.min(...matches.map(({ ssim }) => ssim))).toBeGreaterThan(0.8)
    }
    const story = await readFile(made.at('storyboard.vtt'), 'utf8')
    const sheet = await readStill(made.at('storyboard-1.jpg'))
    const cues = story.matchAll(/00:00:([\d.]+) --> .*\n.*#xywh=(\d+),(\d+),(\d+),(\d+)/g)
    for (const [, ...numbers] of cues) {
      const [seconds = 0, x = 0, y = 0, width = 0, height = 0] = numbers.map(Number)
      const samples = [0.2, 0.5, 0.8].map((part) =>
        sheet.at((x + width * part) / sheet.width, (y + height * part) / sheet.height),
      )
      const isBlack = Math.max(...samples.flat()) < 40
      expect([seconds, isBlack]).toEqual([seconds, seconds < blackUntil - 0.01])
    }
  })
})

test.each(
  quickCases<[string, Shape]>(
    [
      ['copied', { container: 'matroska' }],
      ['copied from an MP4', { bFrames: 2 }],
      ['encoded', { container: 'matroska', videoCodec: 'hevc', audioCodec: 'opus' }],
    ],
    ['copied from an MP4'],
  ),
)(
  'a picture that begins 83 ms after its sound and is %s does so in the stream',
  async (_, shape) => {
    const late = { frameRate: 60, startSeconds: 5 / 60, audioDelaySeconds: -5 / 60, seconds: 2.5 }
    const made = await process({ ...late, ...shape }, [180, 120])
    for (const { file } of made.renditions) {
      const { pictures, sounds } = await readClip(made.at(file))
      expect(pictures[0]?.times[0]).toBeCloseTo(5 / 60, 2)
      // The encoder of the sound begins with a packet of nothing, which players leave out.
      const soundStart = sounds[0]?.times[0] ?? Number.NaN
      expect(Math.abs(soundStart + 0.0107)).toBeLessThan(0.0117)
      const matches = await comparePictures(made.at(file), made.source)
      expect(matches).toHaveLength(150)
      expect(Math.min(...matches.map(({ ssim }) => ssim))).toBeGreaterThan(0.8)
    }
  },
)

test.each<[string, [number, number], number[], string]>([
  ['540 lines', [960, 540], [1080, 720, 480], '960x540 854x480'],
  ['900 lines', [1600, 900], [1080, 720, 480], '1600x900 1280x720 854x480'],
  ['1000 lines upright', [1000, 1778], [1080, 720], '1000x1778 720x1280'],
  ['541 lines', [961, 541], [1080, 540], '960x540'],
  ['1080 lines', [1920, 1080], [1080, 720], '1920x1080 1280x720'],
  ['2160 lines', [3840, 2160], [1080, 720], '1920x1080 1280x720'],
  ['90 lines', [160, 90], [1080, 720], '160x90'],
])('the ladder of %s begins with its own height', (_name, [width, height], heights, sizes) => {
  const planned = planRenditionSizes({ width, height }, heights)
  expect(sizesOf(planned)).toBe(sizes)
  expect(planned.map(({ name }) => name)).toEqual(
    planned.map((size) => Math.min(size.width, size.height)),
  )
})

longTest('a picture between two steps that has to be encoded keeps its size', async () => {
  const shape = { container: 'matroska', videoCodec: 'vp9', seconds: 1, width: 480, height: 270 }
  const made = await process(shape as Shape, [360, 180])
  expect(made.renditions.map(({ height }) => height)).toEqual([270, 180])
  expect((await comparePictures(made.at('270p.mp4'), made.source)).length).toBe(30)
})

describe('the limit of 1080p from', () => {
  const minute = { frameRate: 30, durationSeconds: 58 }
  test.each<[string, Parameters<typeof limitBitRate>[1], number]>([
    ['an unknown rate', { ...minute, codec: 'h264', bitRate: 0 }, 6_000_000],
    ['more than it needs', { ...minute, codec: 'h264', frameRate: 60, bitRate: 50e6 }, 9_000_000],
    ['2.4 Mbit/s of H.264', { ...minute, codec: 'h264', bitRate: 2.4e6 }, 2_320_000],
    ['2.4 Mbit/s of MPEG-4', { ...minute, codec: 'mpeg4', bitRate: 2.4e6 }, 2_320_000],
    ['2.4 Mbit/s of HEVC', { ...minute, codec: 'hevc', bitRate: 2.4e6 }, 4_640_000],
    ['2.4 Mbit/s of VP9', { ...minute, codec: 'vp9', bitRate: 2.4e6 }, 4_640_000],
    ['2.4 Mbit/s of AV1', { ...minute, codec: 'av1', bitRate: 2.4e6 }, 5_800_000],
    ['next to nothing', { ...minute, codec: 'av1', bitRate: 10 }, 1_500_000],
    ['next to nothing at 60', { ...minute, codec: 'av1', frameRate: 60, bitRate: 10 }, 2_250_000],
  ])('%s', (_name, source, limit) => {
    expect(limitBitRate({ width: 1920, height: 1080 }, source)).toBe(limit)
  })
})

const flashes = 'between(t,1,1.1)+between(t,2,2.1)'

test.each(
  quickCases<[string, Shape]>(
    [
      ['40 kbit/s in HEVC', { videoCodec: 'hevc', videoBitRate: 40_000, noise: 0 }],
      ['40 kbit/s in VP9', { videoCodec: 'vp9', videoBitRate: 40_000, noise: 0 }],
      ['40 kbit/s in AV1', { videoCodec: 'av1', videoBitRate: 40_000, noise: 0 }],
      ['400 kbit/s in HEVC', { videoCodec: 'hevc', videoBitRate: 400_000, noise: 0 }],
      [
        'a turning picture in AV1',
        { videoCodec: 'av1', videoBitRate: 100_000, noise: 0, filters: ['rotate=t/2'] },
      ],
      ['MPEG-4', { videoCodec: 'mpeg4', container: 'avi' }],
      ['MJPEG', { videoCodec: 'mjpeg', container: 'avi' }],
      ['H.264 in 10 bits', { pixelFormat: 'yuv420p10le' }],
      [
        '720p60 in HEVC',
        { videoCodec: 'hevc', width: 1280, height: 720, frameRate: 60, seconds: 1 },
      ],
      [
        'two white flashes in AV1',
        {
          videoCodec: 'av1',
          videoBitRate: 60_000,
          noise: 0,
          filters: [`drawbox=color=white:thickness=fill:enable='${flashes}'`],
        },
      ],
    ],
    ['MPEG-4'],
  ),
)('%s looks as it did, encoded at its own size', async (_name, shape) => {
  const clip = {
    container: 'matroska',
    width: 480,
    height: 270,
    seconds: 3,
    audioCodec: null,
    ...shape,
  } as const
  const made = await process(clip, [clip.height])
  expect(made.renditions).toMatchObject([{ width: clip.width, height: clip.height }])
  const likeness = (await comparePictures(made.at(`${clip.height}p.mp4`), made.source)).map(
    ({ ssim }) => ssim,
  )
  expect(likeness).toHaveLength(clip.seconds * ((shape.frameRate ?? 30) as number))
  expect(likeness.reduce((sum, one) => sum + one, 0) / likeness.length).toBeGreaterThan(0.95)
  // No single picture is lost, such as a flash.
  expect(Math.min(...likeness)).toBeGreaterThan(0.85)
})

test.each(
  quickCases<[string, Shape]>(
    [
      ['two seconds of 720p60', { width: 1280, height: 720, frameRate: 60 }],
      ['no sound', { audioCodec: null }],
      ['a sound of one packet', { audioSeconds: 0.02 }],
      ['a sound that begins as the picture ends', { audioDelaySeconds: 1.9, audioSeconds: 0.1 }],
      ['a sound to encode', { container: 'matroska', audioCodec: 'opus', frameRate: 60 }],
      [
        'a sound of one packet to encode',
        { container: 'matroska', audioCodec: 'opus', audioSeconds: 0.02 },
      ],
    ],
    ['a sound of one packet to encode'],
  ),
)('the codecs of %s are those that each step holds', async (_name, shape) => {
  const made = await process({ seconds: 2, ...shape }, [180, 120])
  for (const { file, playlistFile, codecs } of made.renditions) {
    for (const name of [file, playlistFile]) {
      const { sounds } = await readClip(made.at(name))
      const isHeard = sounds.some(({ times }) => times.length > 0)
      expect([name, codecs.includes('mp4a.40.2')]).toEqual([name, isHeard])
    }
  }
})
