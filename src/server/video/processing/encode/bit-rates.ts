import type { Stream } from 'node-av/lib'
import type { Size } from '../source/picture.ts'
import type { SoundAnalysis } from '../source/source-analysis.ts'

/** For 1080p at up to 30 frames per second. */
const maxBitRate1080 = 6_000_000

/** Keeps a picture watchable (docs/decisions/0009-two-decodes-and-a-ladder.md). */
const leastShare = 0.25

/** Factor by which H.264 needs more bits for the same picture. */
const bitsByCodec = new Map([
  ['hevc', 2],
  ['vp9', 2],
  ['av1', 2.5],
])

/** Seconds of the limit that the nearly full rate buffer passes at once. */
const headStartSeconds = 2

type SourceRates = {
  frameRate: number
  codec: string
  /** 0 when unknown. */
  bitRate: number
  durationSeconds: number
}

/** Bits per second, at most what the source is worth in H.264. */
export function limitBitRate(size: Size, source: SourceRates): number {
  const share = (size.width * size.height) / (1920 * 1080)
  const byRate = source.frameRate > 35 ? 1.5 : 1
  const most = maxBitRate1080 * share ** 0.8 * byRate
  const { codec, bitRate, durationSeconds } = source
  const headStart = durationSeconds / (durationSeconds + headStartSeconds)
  const worth = bitRate * (bitsByCodec.get(codec) ?? 1) * headStart
  const isKnown = bitRate > 0
  return Math.round(isKnown ? Math.min(most, Math.max(worth, most * leastShare)) : most)
}

/** Stereo AAC above this sounds no better. */
const mostSoundBitRate = 160_000

/** Speech is hard to follow below. */
const leastSoundBitRate = { mono: 48_000, stereo: 64_000 }

export function limitSoundBitRate({ codecpar }: Stream, sound: SoundAnalysis | undefined): number {
  const least = codecpar.channels === 1 ? leastSoundBitRate.mono : leastSoundBitRate.stereo
  return Math.min(Math.max(sound?.bitRate || mostSoundBitRate, least), mostSoundBitRate)
}
