import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants'
import { avChannelLayoutDefault, Frame } from 'node-av/lib'
import {
  closeEncoder,
  type Deliver,
  type Encoder,
  encodeFrame,
  soundFrameSize,
  soundRate,
} from '../encode/encoder.ts'
import { requireSuccess } from '../ffmpeg-calls.ts'

export type Samples = [Float32Array, Float32Array]

export type SoundJoiner = {
  /** 48 kHz. */
  push: (samples: Samples) => void
  endPart: () => void
  finish: () => void
}

/** Linear fades never clip. @param fadeSamples overlap; 0 for hard cuts */
export function makeSoundJoiner(
  fadeSamples: number,
  { encoder, deliver }: { encoder: Encoder; deliver: Deliver },
): SoundJoiner {
  let leaving = noSamples()
  let leavingAt = 0
  let held = noSamples()
  let ready = noSamples()
  let sent = 0

  const emit = (samples: Samples, isLast = false) => {
    ready = joinSamples(ready, samples)
    let at = 0
    while (countOf(ready) - at >= soundFrameSize || (isLast && at < countOf(ready))) {
      const end = Math.min(at + soundFrameSize, countOf(ready))
      const frame = toFrame(cutSamples(ready, at, end), sent)
      encodeFrame(encoder, frame, deliver)
      frame.free()
      sent += end - at
      at = end
    }
    ready = cutSamples(ready, at)
  }
  const flushLeaving = () => {
    const rest = cutSamples(leaving, leavingAt)
    leaving = noSamples()
    leavingAt = 0
    emit(rest)
  }
  return {
    push(samples) {
      const overlap = Math.min(countOf(leaving) - leavingAt, countOf(samples))
      for (const [channel, values] of samples.entries()) {
        const old = leaving[channel]
        for (let at = 0; old && at < overlap; at += 1) {
          const share = (leavingAt + at + 0.5) / countOf(leaving)
          values[at] = (old[leavingAt + at] ?? 0) * (1 - share) + (values[at] ?? 0) * share
        }
      }
      leavingAt += overlap
      held = joinSamples(held, samples)
      const end = Math.max(0, countOf(held) - fadeSamples)
      emit(cutSamples(held, 0, end))
      held = cutSamples(held, end)
    },
    endPart() {
      flushLeaving()
      leaving = held
      held = noSamples()
    },
    finish() {
      flushLeaving()
      emit(held, true)
      encodeFrame(encoder, null, deliver)
      closeEncoder(encoder)
    },
  }
}

export function noSamples(count = 0): Samples {
  return [new Float32Array(count), new Float32Array(count)]
}

export function countOf([left]: Samples): number {
  return left.length
}

export function cutSamples([left, right]: Samples, from: number, to = left.length): Samples {
  return [left.slice(from, to), right.slice(from, to)]
}

function joinSamples(first: Samples, second: Samples): Samples {
  if (countOf(first) === 0) return second
  const joined = noSamples(countOf(first) + countOf(second))
  for (const [channel, values] of joined.entries()) {
    values.set(first[channel] ?? [])
    values.set(second[channel] ?? [], countOf(first))
  }
  return joined
}

/** Planar 32-bit float stereo. */
export function readSamples({ data, nbSamples }: Frame): Samples {
  const read = (plane: Buffer | undefined) => {
    const values = new Float32Array(nbSamples)
    if (plane) Buffer.from(values.buffer).set(plane.subarray(0, nbSamples * 4))
    return values
  }
  return [read(data?.[0]), read(data?.[1])]
}

/** The caller frees the frame. @param pts in samples */
export function toFrame(samples: Samples, pts: number): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.nbSamples = countOf(samples)
  frame.format = AV_SAMPLE_FMT_FLTP
  frame.sampleRate = soundRate
  frame.channelLayout = avChannelLayoutDefault(2)
  requireSuccess(frame.getBuffer(), 'make sound')
  frame.pts = BigInt(pts)
  for (const [channel, values] of samples.entries()) {
    frame.data?.[channel]?.set(Buffer.from(values.buffer, values.byteOffset, values.byteLength))
  }
  return frame
}
