import { mkdtemp, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHARE_FILE_BYTES_MAX } from '#shared/limits.ts'
import {
  type ClipOptions,
  type ClipReading,
  decodeAll,
  makeClip,
  readClip,
  readFlash,
  readSound,
  readStill,
} from '#test/support/clips.ts'
import { quickCases } from '#test/support/long-form.ts'
import { listVideos, processFile } from '#test/support/processed-clip.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const FRAME_RATE = 30

type Shape = Omit<ClipOptions, 'path'> & {
  /** The short sides of the renditions. */
  heights?: number[]
  /** The part of the file that is there. */
  cutTo?: number
}

const HEVC10 = { videoCodec: 'hevc', pixelFormat: 'yuv420p10le' } as const
const AVI = { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
const PHONE_HDR = { container: 'mov', rotation: 90, ...HEVC10 } as const
const PRORES = { videoCodec: 'prores', pixelFormat: 'yuv422p10le', audioCodec: 'pcm' } as const
/** Size is the point, so that few pictures will do. */
const UHD = { width: 3840, height: 2160, frameRate: 5, seconds: 1, flashSeconds: 0.4 } as const
const FULL_HD = {
  width: 1920,
  height: 1080,
  frameRate: 60,
  seconds: 0.5,
  flashSeconds: 0.3,
} as const
const FAST_START = { muxerOptions: { movflags: 'faststart' } }

const shapes: Record<string, Shape> = {
  MP4: { bFrames: 2 },
  '1080p60': { ...FULL_HD, heights: [1080, 360] },
  '4K in H.264': { ...UHD, heights: [360] },
  '4K in 10-bit HEVC': { ...UHD, ...HEVC10, heights: [360] },
  '4K in AV1': { ...UHD, container: 'matroska', videoCodec: 'av1', heights: [360] },
  'an MKV as OBS records it': { container: 'matroska', bFrames: 2 },
  'an AVI': { ...AVI, bFrames: 2 },
  'a WebM': { container: 'webm', videoCodec: 'vp9', audioCodec: 'opus' },
  HEVC: { videoCodec: 'hevc' },
  '10-bit AV1': { videoCodec: 'av1', pixelFormat: 'yuv420p10le' },
  '10-bit H.264': { pixelFormat: 'yuv420p10le' },
  'ProRes in MOV': { container: 'mov', ...PRORES },
  'a variable frame rate in MP4': { variableFrameRate: true },
  'a variable frame rate in MKV': {
    ...{ container: 'matroska', videoCodec: 'hevc', audioCodec: 'opus', variableFrameRate: true },
  },
  'PQ from a turned phone': { ...PHONE_HDR, dynamicRange: 'pq' },
  'HLG from a turned phone': { ...PHONE_HDR, dynamicRange: 'hlg' },
  'a turn by 90 degrees': { container: 'mov', rotation: 90 },
  'a turn by 180 degrees': { container: 'mov', rotation: 180 },
  'a turn by 270 degrees': { container: 'mov', rotation: 270 },
  'an odd size': { width: 321, height: 181, pixelFormat: 'yuv444p' },
  'an odd size in AVI': { ...AVI, width: 335, height: 187 },
  'oblong pixels': { sampleAspectRatio: '4/3' },
  'narrow pixels': { sampleAspectRatio: '3/4' },
  'oblong pixels on their side': { container: 'mov', sampleAspectRatio: '4/3', rotation: 90 },
  'interlaced pictures': { interlaced: true, frameRate: 50, audioCodec: 'ac3' },
  'several sound tracks': { audioTracks: 3 },
  'several sound tracks to encode': { container: 'matroska', audioTracks: 2, audioCodec: 'opus' },
  'no sound': { audioCodec: null },
  'surround sound in AC-3': { container: 'matroska', audioCodec: 'ac3', channels: 6 },
  'surround sound in AAC': { channels: 6 },
  'mono at 22 kHz': { channels: 1, sampleRate: 22_050 },
  'a sound that begins later': {
    ...{ container: 'matroska', audioCodec: 'opus', audioDelaySeconds: 0.4 },
  },
  'a sound that begins later, as it is': { audioDelaySeconds: 0.4 },
  'a sound that begins earlier': {
    ...{ container: 'matroska', startSeconds: 0.5, audioDelaySeconds: -0.19, audioCodec: 'opus' },
  },
  'a sound that begins earlier, as it is': { startSeconds: 0.5, audioDelaySeconds: -0.19 },
  'a sound that ends early': { audioSeconds: 1.3 },
  'a recording that begins late': {
    ...{ container: 'matroska', startSeconds: 1.3, audioCodec: 'opus' },
  },
  'a broken end in MKV': { ...AVI, container: 'matroska', seconds: 3, cutTo: 0.6 },
  'a broken end in AVI': { ...AVI, seconds: 3, cutTo: 0.6 },
  'a broken end in MP4': { ...FAST_START, seconds: 3, cutTo: 0.85 },
}

/** One of each kind of container, turn, colour and time line; several tracks are tested with the ladder. */
const tried = quickCases(Object.entries(shapes), [
  ...['an MKV as OBS records it', 'PQ from a turned phone'],
  ...['a variable frame rate in MP4', 'a broken end in MP4'],
])

const folder = setUpFolder('shapes')

test.each(tried)('%s comes out whole, upright and in sync', async (_, shape) => {
  const { heights = [180, 120], cutTo, ...options } = shape
  const base = await mkdtemp(join(folder, 'clip-'))
  const clip = { seconds: 2, flashSeconds: 1, ...options }
  const source = await makeClip({ path: join(base, 'clip'), ...clip })
  if (cutTo) await truncate(source, Math.round((await stat(source)).size * cutTo))
  const seconds = cutTo ? lengthOf(await readClip(source)) : lengthFor(clip)
  const made = await processFile(source, { base, heights })

  expect(made.renditions.map(({ name }) => name)).toEqual(heights)
  expect(Math.abs(made.durationSeconds - seconds)).toBeLessThan(0.15)
  for (const path of listVideos(made)) {
    await expectWhole(path, seconds)
    await expectUpright(path, clip)
    const isHeard = (await readClip(path)).sounds.length > 0
    const hasSeveral = (clip.audioTracks ?? 1) > 1
    await expectInSync(path, clip, !isHeard && hasSeveral ? made.at('sound-1-stream.m4a') : path)
  }
  await expectUpright(join(base, 'first', 'poster.jpg'), clip)
  expect(made.soundTracks).toHaveLength(Math.max(0, (clip.audioTracks ?? 1) - 1))
  for (const { file } of made.soundTracks) {
    expect(Math.abs((await readSound(made.at(file))).heardAt - 1)).toBeLessThan(0.07)
  }
})

test.each(
  quickCases(
    [
      ['a rendition of it', [180, 120], 1],
      ['a picture encoded for it', [180], 1],
      ['a rendition of it and the first of two sound tracks', [180, 120], 2],
      ['a picture encoded for it and the first of two sound tracks', [180], 2],
    ],
    ['a rendition of it'],
  ),
)('a recording too large for chat programs gets a file for them from %s', async (...row) => {
  const [, heights, audioTracks] = row
  const base = await mkdtemp(join(folder, 'large-'))
  const clip = { seconds: 2.5, flashSeconds: 1, filledBitRate: 200_000_000, audioTracks }
  const source = await makeClip({ path: join(base, 'clip'), ...clip })
  const made = await processFile(source, { base, heights })
  expect((await stat(made.playablePath)).size).toBeGreaterThan(SHARE_FILE_BYTES_MAX)
  expect(made.share).toBe('file')
  const path = made.at('share.mp4')
  expect((await stat(path)).size).toBeLessThan(SHARE_FILE_BYTES_MAX)
  await expectWhole(path, clip.seconds)
  await expectUpright(path, clip)
  await expectInSync(path, clip)
})

test.each(
  quickCases(
    [
      ['a rendition of it', [1080, 360], 360],
      ['a picture encoded for it', [1080], 720],
    ],
    [],
  ),
)(
  'a short 1080p recording gets a smaller file for chat programs from %s',
  async (_, heights, most) => {
    const base = await mkdtemp(join(folder, 'short-'))
    const source = await makeClip({ path: join(base, 'clip'), ...FULL_HD })
    const made = await processFile(source, { base, heights })
    expect(made.share).toBe('file')
    const { height } = await readStill(made.at('share.mp4'))
    expect(height).toBe(most)
    await expectWhole(made.at('share.mp4'), FULL_HD.seconds)
    await expectInSync(made.at('share.mp4'), FULL_HD)
  },
)

type Clip = Omit<ClipOptions, 'path'> & { seconds: number; flashSeconds: number }

/** From the first picture or sound to the end of the last. */
function lengthFor({ seconds, audioDelaySeconds = 0 }: Clip): number {
  return seconds + Math.abs(audioDelaySeconds)
}

/** Seconds that can still be read of a file. */
function lengthOf({ pictures, sounds }: ClipReading): number {
  const times = [...pictures, ...sounds].map((one) => one.times.at(-1) ?? 0)
  return Math.max(...times) + 1 / FRAME_RATE
}

async function expectWhole(path: string, seconds: number): Promise<void> {
  const { durationSeconds, pictures, sounds } = await readClip(path)
  expect(Math.abs(durationSeconds - seconds)).toBeLessThan(0.15)
  expect(pictures).toMatchObject([{ codec: 'h264', pixelFormat: 'yuv420p' }])
  const times = pictures[0]?.times ?? []
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(Math.max(...pauses)).toBeLessThan(0.25)
  const { frames, errors } = await decodeAll(path)
  expect({ frames, errors }).toEqual({ frames: times.length, errors: 0 })
  for (const { codec } of sounds) expect(codec).toBe('aac')
}

/** The red corner is where it belongs, still red, and the picture has the shape that it had. */
async function expectUpright(path: string, clip: Clip): Promise<void> {
  const { width, height, at } = await readStill(path)
  const [across, down] = sidesOf(clip)
  // Encoders want even sides: each may be off by a pixel or two.
  expect(Math.abs((width / height) * (down / across) - 1)).toBeLessThan(2 / Math.min(width, height))
  const [red, green, blue] = at(0.1, 0.1)
  expect(red).toBeGreaterThan(120)
  expect(Math.max(green, blue)).toBeLessThan(red / 2)
  for (const corner of [at(0.9, 0.1), at(0.1, 0.9), at(0.9, 0.9)]) {
    expect(Math.max(...corner) - Math.min(...corner)).toBeLessThan(60)
  }
}

/** The sides of a clip as it is shown, in square pixels. */
function sidesOf({ width = 320, height = 180, rotation = 0, sampleAspectRatio = '1/1' }: Clip) {
  const [across = 1, down = 1] = sampleAspectRatio.split('/').map(Number)
  const sides = [(width * across) / down, height] as const
  return rotation % 180 === 0 ? sides : ([sides[1], sides[0]] as const)
}

async function expectInSync(path: string, clip: Clip, soundPath = path): Promise<void> {
  const { flashSeconds, audioDelaySeconds: delay = 0 } = clip
  const seen = await readFlash(path)
  expect(Math.abs(seen - flashSeconds - Math.max(0, -delay))).toBeLessThan(0.09)
  if (clip.audioCodec === null) return
  expect(Math.abs((await readSound(soundPath)).heardAt - seen - delay)).toBeLessThan(0.07)
}
