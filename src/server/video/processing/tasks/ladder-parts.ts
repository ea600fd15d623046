import type { Stream } from 'node-av/lib'
import type { Deliver, Encoder } from '../encode/encoder.ts'
import type { RenditionSize } from '../encode/rendition-size.ts'
import type { TrackSource } from '../package/fragmented-output.ts'
import type { HlsRendition } from '../package/hls-rendition.ts'
import type { Mp4Output } from '../package/mp4-output.ts'
import type { SoundRendition } from '../package/sound-rendition.ts'
import type { LoudnessMeter } from '../sound/loudness.ts'
import type { WaveformMeter } from '../sound/waveform.ts'
import type { StreamDecoder } from '../source/stream-decoder.ts'

export type LadderSound = {
  stream: Stream
  /** ISO 639. */
  language: string | null
  name: string | null
  channels: number
  /** Null if unreadable. */
  track: TrackSource | null
  decoder: StreamDecoder | null
  /** Null when copied. */
  encoder: Encoder | null
}

export type LadderSounds = {
  /** In every rendition unless sound is separate. */
  first: (LadderSound & { decoder: StreamDecoder }) | null
  others: LadderSound[]
  loudness: LoudnessMeter
  waveform: WaveformMeter
}

export type LadderOutputs = {
  renditions: { size: RenditionSize; rendition: HlsRendition }[]
  progressive: Mp4Output | null
  sounds: Mp4Output[]
  /** From 1. */
  soundRenditions: { number: number; rendition: SoundRendition }[]
}

/** Copies share their bytes. */
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
