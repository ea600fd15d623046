import type { Stream } from 'node-av/lib'
import type { Size } from '../source/picture.ts'
import type { SoundAnalysis } from '../source/source-analysis.ts'

/** At up to 30 frames per second. */
const maxBitRate1080 = 6_000_000

/** Keeps a picture watchable (docs/decisions/0009-two-decodes-and-a-ladder.md). */
const leastShare = 0.25

/** Bits that H.264 needs for the same picture, as a factor. */
const bitsByCodec = new Map([
  ['hevc', 2],
  ['vp9', 2],
  ['av1', 2.5],
])

/** Seconds at the limit that the nearly full rate buffer passes at once. */
const headStartSeconds = 2

type SourceRates = {
  frameRate: number
  codec: string
  /** 0 when unknown. */
  bitRate: number
  durationSeconds: number
}

/** Bits per second, at most the source's worth in H.264. */
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

/** Above this stereo AAC sounds no better. */
const mostSoundBitRate = 160_000

/** Below, speech is hard to follow. */
const leastSoundBitRate = { mono: 48_000, stereo: 64_000 }

export function limitSoundBitRate({ codecpar }: Stream, sound: SoundAnalysis | undefined): number {
  const least = codecpar.channels === 1 ? leastSoundBitRate.mono : leastSoundBitRate.stereo
  return Math.min(Math.max(sound?.bitRate || mostSoundBitRate, least), mostSoundBitRate)
}
