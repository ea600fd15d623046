import type { ClipOptions } from '#test/support/clips.ts'

/** Length of the clip that is repeated to make a recording. */
export const PART_SECONDS = 10

export type LongRecording = {
  name: string
  clip: Omit<ClipOptions, 'path'>
  /** After this time only key frames of the picture are kept. */
  wholeSeconds?: number
  /** FFmpeg chooses the container by it. */
  extension: 'mp4' | 'mkv' | 'ts'
  heights: number[]
  /** Some seconds are cut out of it as well, by copying and by encoding. */
  isCut?: boolean
  /** Memory limit in MiB, where the decoder alone nearly reaches the usual one. */
  mostMib?: number
}

const tracks = (count: number) => (count === 1 ? 'one track' : `${count} tracks`)

const small = { width: 854, height: 480, keyFrameSeconds: 5, seconds: PART_SECONDS }
/** Six gigabytes in three hours; up to three copies lie on the disk. */
const bitRate = 4_500_000
const large = { ...small, width: 1920, height: 1080, videoBitRate: bitRate }
const huge = { ...small, width: 3840, height: 2160 }

const copied = [1, 3, 6].flatMap((audioTracks): LongRecording[] => [
  {
    name: `480p, ${tracks(audioTracks)}, copied`,
    ...{ clip: { ...small, audioTracks }, extension: 'mp4', heights: [480] },
  },
  {
    name: `1080p, ${tracks(audioTracks)}, copied`,
    ...{ clip: { ...large, audioTracks }, extension: 'mp4', heights: [1080] },
  },
])

/**
 * Codecs reach their peak memory within this time. Only key frames follow, so that a case takes less than an hour; the index
 * lacks the other pictures, 36 bytes each in an MP4.
 */
const slowly = { wholeSeconds: 10 }
const usualHeights = [1080, 720, 480]
/** Recorders and phones use as many reference pictures, which a decoder holds. */
const h264 = { bFrames: 2, encoderOptions: { 'x264-params': 'ref=4' } }
const hevc = {
  videoCodec: 'hevc',
  encoderOptions: { 'x265-params': 'log-level=none:ref=4:bframes=2' },
} as const

const encoded = [1, 3, 6].flatMap((audioTracks): LongRecording[] => [
  {
    name: `1080p, ${tracks(audioTracks)}, two steps encoded`,
    clip: { ...large, ...h264, audioTracks },
    ...{ ...slowly, extension: 'mp4', heights: usualHeights },
  },
  {
    name: `HEVC 1080p, ${tracks(audioTracks)}`,
    clip: { ...large, ...hevc, audioTracks },
    ...{ ...slowly, extension: 'mp4', heights: usualHeights },
  },
])

/** The highest frame rate of common recorders. */
const dense: LongRecording = {
  name: 'HEVC 240p60, 3 tracks',
  clip: { ...small, width: 426, height: 240, frameRate: 60, audioTracks: 3, videoCodec: 'hevc' },
  ...{ extension: 'mp4', heights: [240, 144] },
}

/** A cut knows the time of each picture. */
const cut: LongRecording = {
  name: '144p60, one track, copied and cut',
  clip: { ...small, width: 256, height: 144, frameRate: 60, bFrames: 2 },
  ...{ extension: 'mp4', heights: [144], isCut: true },
}

const otherContainers: LongRecording[] = [
  {
    name: 'VP9 1080p in MKV, 3 tracks',
    clip: {
      ...{ ...large, audioTracks: 3, container: 'matroska' },
      ...{ videoCodec: 'vp9', audioCodec: 'opus' },
    },
    ...{ ...slowly, extension: 'mkv', heights: usualHeights },
  },
  {
    name: '480p in MPEG-TS, 2 tracks',
    clip: { ...small, audioTracks: 2, container: 'mpegts' },
    ...{ extension: 'ts', heights: [480] },
  },
]

const fourK: LongRecording[] = [
  {
    name: '4K, one track, three steps encoded',
    clip: { ...huge, ...h264 },
    ...{ ...slowly, extension: 'mp4', heights: usualHeights },
  },
  {
    name: 'HEVC 4K in HDR, 3 tracks, three steps encoded',
    clip: {
      ...{ ...huge, ...hevc, audioTracks: 3 },
      ...{ pixelFormat: 'yuv420p10le', dynamicRange: 'pq' },
    },
    ...{ ...slowly, extension: 'mp4', heights: usualHeights, mostMib: 400 },
  },
  {
    name: 'HEVC 4K, one track, with a step of 2160p',
    clip: { ...huge, ...hevc },
    ...{ ...slowly, extension: 'mp4', heights: [2160, ...usualHeights], mostMib: 520 },
  },
]

export const LONG_RECORDINGS = [...copied, ...encoded, dense, cut, ...otherContainers, ...fourK]
