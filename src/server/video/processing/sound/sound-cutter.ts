import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import {
  channelLayout,
  closeEncoder,
  type Deliver,
  type Encoder,
  encodeFrame,
  type SoundChannels,
  soundFrameSize,
  soundRate,
} from '../encode/encoder.ts'
import { requireSuccess } from '../ffmpeg-calls.ts'

const sampleBytes = 4

/** Joins stretches of sound, exact to the sample, into one track of AAC that begins at 0. */
export type SoundCutter = {
  /** What follows belongs to a stretch of so many samples, of which the first is `firstSample` of the source. */
  begin: (stretch: { firstSample: number; length: number }) => void
  /** Takes a frame whose timestamp counts samples; what the stretch has no room for is left out. */
  take: (frame: Frame) => void
  /** Fills the rest of the stretch with silence. */
  end: () => void
  finish: () => void
}

export function makeSoundCutter(use: {
  encoder: Encoder
  deliver: Deliver
  /** Of the frames that it takes. */
  channels: SoundChannels
}): SoundCutter {
  const { channels } = use
  const pending = Array.from({ length: channels }, () => Buffer.alloc(soundFrameSize * sampleBytes))
  let filled = 0
  let written = 0n
  let next = 0
  let left = 0

  // The encoder's run-in would have to be hidden by an edit list.
  const deliver: Deliver = (packet, base) => {
    if (packet.pts >= 0n) use.deliver(packet, base)
  }
  const flush = () => {
    if (filled === 0) return
    const frame = makeFrame(pending, filled)
    frame.pts = written
    written += BigInt(filled)
    filled = 0
    encodeFrame(use.encoder, frame, deliver)
    frame.free()
  }
  /** @param channelData null for silence */
  const write = (channelData: Buffer[] | null, from: number, count: number) => {
    for (let done = 0; done < count; ) {
      const some = Math.min(count - done, soundFrameSize - filled)
      for (const [index, target] of pending.entries()) {
        const source = channelData?.[index]
        const at = (from + done) * sampleBytes
        if (source) source.copy(target, filled * sampleBytes, at, at + some * sampleBytes)
        else target.fill(0, filled * sampleBytes, (filled + some) * sampleBytes)
      }
      filled += some
      done += some
      if (filled === soundFrameSize) flush()
    }
    next += count
    left -= count
  }
  return {
    begin({ firstSample, length }) {
      next = firstSample
      left = length
    },
    take(frame) {
      const first = Number(frame.pts)
      if (left === 0 || first + frame.nbSamples <= next) return
      if (first > next) write(null, 0, Math.min(first - next, left))
      const from = next - first
      const count = Math.min(frame.nbSamples - from, left)
      if (count > 0) write(frame.data, from, count)
    },
    end() {
      if (left > 0) write(null, 0, left)
    },
    finish() {
      flush()
      encodeFrame(use.encoder, null, deliver)
      closeEncoder(use.encoder)
    },
  }
}

function makeFrame(channelData: readonly Buffer[], samples: number): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.nbSamples = samples
  frame.format = AV_SAMPLE_FMT_FLTP
  frame.sampleRate = soundRate
  frame.channelLayout = channelLayout(channelData.length as SoundChannels)
  requireSuccess(frame.getBuffer(), 'make sound')
  for (const [index, data] of (frame.data ?? []).entries()) {
    channelData[index]?.copy(data, 0, 0, samples * sampleBytes)
  }
  return frame
}
