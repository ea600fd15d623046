import type { Stream } from 'node-av/lib'
import type { Size } from '../source/picture.ts'
import type { SoundAnalysis } from '../source/source-analysis.ts'

/** Bits per second that 1080p at up to 30 frames a second may take at most. */
const maxBitRate1080 = 6_000_000

/** The part of that which every picture may take: what it takes to stay watchable (docs/decisions/0009-two-decodes-and-a-ladder.md). */
const leastShare = 0.25

/** How many times its bits H.264 needs for the same picture; as many as those of older codecs. */
const bitsByCodec = new Map([
  ['hevc', 2],
  ['vp9', 2],
  ['av1', 2.5],
])

/** What an encoder may take beforehand, in seconds of the limit: the buffer that it is given is nearly full. */
const headStartSeconds = 2

type SourceRates = {
  frameRate: number
  /** FFmpeg's name. */
  codec: string
  /** Of the picture, bits per second on average; 0 when that is not known. */
  bitRate: number
  durationSeconds: number
}

/**
 * How many bits per second a picture may take at most: by its size and rate, and no more than the picture that it is made
 * from is worth in H.264, but never less than what makes it watchable.
 */
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

/** Bits per second of AAC in stereo that nobody hears as less than the recording. */
const mostSoundBitRate = 160_000

/** Below these, speech becomes hard to follow; both channels of what was mono are the same. */
const leastSoundBitRate = { mono: 48_000, stereo: 64_000 }

/** How many bits per second a track's sound may take: those of its source, within what is fit to be heard. */
export function limitSoundBitRate({ codecpar }: Stream, sound: SoundAnalysis | undefined): number {
  const least = codecpar.channels === 1 ? leastSoundBitRate.mono : leastSoundBitRate.stereo
  return Math.min(Math.max(sound?.bitRate || mostSoundBitRate, least), mostSoundBitRate)
}
