import {
  MIX_FRAME,
  MIX_FRAMES_AFTER,
  MIX_FRAMES_BEFORE,
  mixSound,
  type SoundMix,
} from '#shared/sound-mix.ts'
import { isPauseDue, pause } from '../pauses.ts'
import { countOf, cutSamples, noSamples, type Samples } from './sound-joiner.ts'
import { openTrackReader, type TrackReader } from './track-reader.ts'

/** A second at a time. */
const frames = 100
const windowSamples = (MIX_FRAMES_BEFORE + frames + MIX_FRAMES_AFTER) * MIX_FRAME
const stepSamples = frames * MIX_FRAME

type Track = { reader: TrackReader; window: Samples }

/** 48 kHz stereo, as long as the longest track. @param paths one for each track of the mix */
export async function* mixTracks(paths: readonly string[], mix: SoundMix): AsyncGenerator<Samples> {
  const tracks: Track[] = []
  try {
    for (const path of paths) tracks.push(await openTrack(path))
    for (let at = 0; ; at += stepSamples) {
      const left =
        Math.max(...tracks.map(({ reader }) => reader.lengthSamples() ?? at + stepSamples)) - at
      if (left <= 0) return
      const windows = tracks.map(({ window }) => window)
      yield cutSamples([...mixSound(mix, windows, frames)], 0, Math.min(left, stepSamples))
      for (const track of tracks) await advance(track)
      if (isPauseDue()) await pause()
    }
  } finally {
    for (const { reader } of tracks) reader.close()
  }
}

async function openTrack(path: string): Promise<Track> {
  const reader = await openTrackReader(path)
  const window = noSamples(windowSamples)
  const before = MIX_FRAMES_BEFORE * MIX_FRAME
  place(window, await reader.read(windowSamples - before), before)
  return { reader, window }
}

async function advance({ reader, window }: Track): Promise<void> {
  for (const values of window) values.copyWithin(0, stepSamples)
  place(window, await reader.read(stepSamples), windowSamples - stepSamples)
}

function place(window: Samples, samples: Samples, at: number): void {
  for (const [channel, values] of samples.entries()) window[channel]?.set(values, at)
}

/** Frames of one size, as encoders want them; the last may be shorter. */
export function makeFramer(size: number, take: (samples: Samples) => void) {
  let held = noSamples()
  return {
    push(samples: Samples) {
      const [left, right] = held
      held = noSamples(countOf(held) + countOf(samples))
      place(held, [left, right], 0)
      place(held, samples, left.length)
      let at = 0
      for (; at + size <= countOf(held); at += size) take(cutSamples(held, at, at + size))
      held = cutSamples(held, at)
    },
    finish() {
      if (countOf(held) > 0) take(held)
    },
  }
}
