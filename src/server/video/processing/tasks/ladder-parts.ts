import type { Stream } from 'node-av/lib'
import type { Deliver, Encoder } from '../encode/encoder.ts'
import type { Rung } from '../encode/rung.ts'
import type { TrackSource } from '../package/fragmented-output.ts'
import type { HlsRendition } from '../package/hls-rendition.ts'
import type { Mp4Output } from '../package/mp4-output.ts'
import type { SoundRendition } from '../package/sound-rendition.ts'
import type { LoudnessMeter } from '../sound/loudness.ts'
import type { WaveformMeter } from '../sound/waveform.ts'
import type { StreamDecoder } from '../source/stream-decoder.ts'

/** One of a video's sound tracks, and how it comes into the stream. */
export type LadderSound = {
  stream: Stream
  /** ISO 639. */
  language: string | null
  /** As the recorder called it. */
  name: string | null
  /** In the stream. */
  channels: number
  /** What the stream's track is made of; null when that cannot be read. */
  track: TrackSource | null
  decoder: StreamDecoder | null
  /** Null for what is copied. */
  encoder: Encoder | null
}

/** What becomes of a video's sound tracks. */
export type LadderSounds = {
  /** The first track, which goes into every step where it does not lie apart; null when there is none that can be read. */
  first: (LadderSound & { decoder: StreamDecoder }) | null
  /** Further tracks, each of which becomes files of its own. */
  others: LadderSound[]
  loudness: LoudnessMeter
  waveform: WaveformMeter
}

/** What the work writes to. */
export type LadderOutputs = {
  renditions: { rung: Rung; rendition: HlsRendition }[]
  progressive: Mp4Output | null
  /** Files of sound alone, for the second and further tracks. */
  sounds: Mp4Output[]
  /** The tracks that lie apart as parts of the stream, by their numbers from 1 on. */
  soundRenditions: { number: number; rendition: SoundRendition }[]
}

/** Hands each packet to all of them, to each a packet of its own over the same bytes. */
export function deliverToAll(takers: Deliver[]): Deliver {
  return (packet, base) => {
    for (const taker of takers) {
      const copy = packet.clone()
      if (!copy) throw new Error('A packet could not be copied.')
      taker(copy, base)
      copy.free()
    }
  }
}
