import type { Frame } from 'node-av/lib'
import { soundRate } from '../encode/encoder.ts'
import { closeChain, filterFrame, openSoundChain } from '../filter-chain.ts'
import type { PacketSink, Source } from '../source/open-source.ts'
import { openDecoder } from '../source/stream-decoder.ts'
import {
  countOf,
  cutSamples,
  noSamples,
  readSamples,
  type Samples,
  toFrame,
} from './sound-joiner.ts'
import { makeSoundTranscoder } from './sound-transcoder.ts'

/** dB true peak. */
const peakLimit = -1.5

/** True peaks need oversampling. */
const limiterRate = 4 * soundRate

type PartSound = PacketSink & { isFull: () => boolean }

type PartSoundOptions = {
  fromSeconds: number
  /** Exact; padded with silence. */
  samples: number
  take: (samples: Samples) => void
}

/** 48 kHz stereo. */
export function makePartSound(source: Source, options: PartSoundOptions): PartSound | null {
  const [stream] = source.audio
  const decoder = stream && openDecoder(stream)
  if (!stream || !decoder) return null
  let left = options.samples
  const push = (frame: Frame) => {
    if (left === 0) return
    const samples = cutSamples(readSamples(frame), 0, left)
    left -= countOf(samples)
    options.take(samples)
  }
  const transcoder = makeSoundTranscoder(stream, {
    decoder,
    offsetSeconds: source.offsetSeconds + options.fromSeconds,
    use: { meters: [{ push }] },
  })
  return {
    isFull: () => left === 0,
    push: (packet) => (left > 0 ? transcoder.push(packet) : undefined),
    finish: async () => {
      await transcoder.finish()
      pushSilence(left, options.take)
    },
  }
}

/** @param gain in decibels */
export function makeGain(gain: number, take: (samples: Samples) => void) {
  const first = toFrame(noSamples(1), 0)
  const chain = openSoundChain(first, { num: 1, den: soundRate }, [
    `volume=${gain.toFixed(2)}dB`,
    `aresample=${limiterRate}`,
    `alimiter=limit=${peakLimit}dB:attack=5:release=60:level=0:latency=1`,
    `aresample=${soundRate}`,
    `aformat=sample_fmts=fltp:sample_rates=${soundRate}:channel_layouts=stereo`,
  ])
  first.free()
  let taken = 0
  let written = 0
  const pass = (frame: Frame) => {
    const samples = cutSamples(readSamples(frame), 0, taken - written)
    written += countOf(samples)
    take(samples)
  }
  return {
    push(samples: Samples) {
      const frame = toFrame(samples, taken)
      taken += countOf(samples)
      filterFrame(chain, frame, pass)
      frame.free()
    },
    finish() {
      filterFrame(chain, null, pass)
      closeChain(chain)
      pushSilence(taken - written, take)
    },
  }
}

export function pushSilence(count: number, take: (samples: Samples) => void): void {
  for (let left = count; left > 0; left -= soundRate) take(noSamples(Math.min(left, soundRate)))
}
