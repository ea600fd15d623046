import {
  findSoundShift,
  readSoundLines,
  type SoundLine,
  shiftWindow,
} from '#server/video/processing/sound/sound-shift.ts'
import { closeSource, openSource } from '#server/video/processing/source/open-source.ts'
import { readClip } from './clips.ts'

/** When pictures and sounds of a file are played. */
export type PlayedTimes = {
  pictures: number[]
  /** Of each track, by the timestamps of its packets and nothing else. */
  sounds: SoundLine[]
  seconds: number
}

/** What people do not notice. */
export const MOST_SHIFT_SECONDS = 0.02

/** @param path of something that was uploaded: playback begins where its first stream does */
export async function readSourceTimes(path: string): Promise<PlayedTimes> {
  const source = await openSource(path)
  const { offsetSeconds } = source
  closeSource(source)
  return readTimes(path, offsetSeconds)
}

/** @param path of something that was made: players play it by its own times */
export const readResultTimes = (path: string): Promise<PlayedTimes> => readTimes(path, 0)

async function readTimes(path: string, startSeconds: number): Promise<PlayedTimes> {
  const { durationSeconds, pictures } = await readClip(path)
  const seconds = durationSeconds + 1
  const stretch = { fromSeconds: 0, untilSeconds: seconds, startSeconds }
  const lines = await readSoundLines(path, stretch)
  return {
    pictures: (pictures[0]?.times ?? []).map((time) => time - startSeconds),
    sounds: lines.filter((line) => line !== null),
    seconds,
  }
}

/** A stretch of the source, and where it begins in the result. */
export type KeptStretch = { from: number; to: number; at: number }

type Misplaced = { what: 'sound' | 'picture'; track: number; seconds: number; shift: number | null }

/** What a result does not have where its source has it, within 20 ms; null for a sound that is nowhere near. */
export function findMisplaced(
  result: PlayedTimes,
  source: PlayedTimes,
  kept: KeptStretch[],
): Misplaced[] {
  const found: Misplaced[] = []
  for (const { from, to, at } of kept) {
    for (const [track, line] of result.sounds.entries()) {
      const own = source.sounds[track]
      for (let seconds = from; own && seconds + shiftWindow <= to; seconds += shiftWindow) {
        const places = { source: seconds, result: at + seconds - from }
        const heard = findSoundShift({ source: own, result: line }, places, MOST_SHIFT_SECONDS)
        if (!heard) continue
        const shift = heard.likeness > 0.5 ? heard.seconds : null
        if (shift !== null && Math.abs(shift) <= MOST_SHIFT_SECONDS) continue
        found.push({ what: 'sound', track, seconds, shift })
      }
    }
    // A first picture that is late is shown from the start.
    const times = source.pictures.slice(1).filter((one) => one >= from + 0.1 && one < to - 0.1)
    for (const seconds of times) {
      const away = result.pictures.map((one) => Math.abs(one - at - seconds + from))
      const shift = Math.min(...away)
      if (shift > MOST_SHIFT_SECONDS) found.push({ what: 'picture', track: 0, seconds, shift })
    }
  }
  return found
}
