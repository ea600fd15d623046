import type { Stream } from 'node-av/lib'
import type { SoundSurvey } from './survey.ts'

/** Bits per second of AAC in stereo that nobody hears as less than the recording. */
const mostBitRate = 160_000

/** Below these, speech becomes hard to follow; both channels of what was mono are the same. */
const leastBitRate = { mono: 48_000, stereo: 64_000 }

/** How many bits per second a track's sound may take: those of its source, within what is fit to be heard. */
export function limitSoundBitRate({ codecpar }: Stream, sound: SoundSurvey | undefined): number {
  const least = codecpar.channels === 1 ? leastBitRate.mono : leastBitRate.stereo
  return Math.min(Math.max(sound?.bitRate || mostBitRate, least), mostBitRate)
}
