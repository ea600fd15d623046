import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import {
  channelLayout,
  closeEncoder,
  type Deliver,
  type Encoder,
  encodeFrame,
  type SoundLayout,
  soundFrameSize,
  soundRate,
} from '../encode/encoder.ts'
import { requireSuccess } from '../ffmpeg-calls.ts'

const sampleBytes = 4

/** Sample-exact AAC from 0. */
export type SoundCutter = {
  begin: (range: { firstSample: number; length: number }) => void
  /** Times in samples; drops those outside the range. */
  take: (frame: Frame) => void
  /** Pads the range with silence. */
  end: () => void
  finish: () => void
}

export function makeSoundCutter(use: {
  encoder: Encoder
  deliver: Deliver
  layout: SoundLayout
}): SoundCutter {
  const { layout } = use
  const pending = Array.from({ length: layout.channels }, () =>
    Buffer.alloc(soundFrameSize * sampleBytes),
  )
  /** Samples in `pending`, and encoded before them. */
  let filled = 0
  let written = 0n
  /** Next sample of the range, by the source's clock, and how many are left. */
  let next = 0
  let left = 0

  // Encoder priming would need an edit list.
  const deliver: Deliver = (packet, base) => {
    if (packet.pts >= 0n) use.deliver(packet, base)
  }
  const flush = () => {
    if (filled === 0) return
    const frame = makeFrame(pending, { layout, samples: filled })
    frame.pts = written
    written += BigInt(filled)
    filled = 0
    encodeFrame(use.encoder, frame, deliver)
    frame.free()
  }
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

function makeFrame(
  channelData: readonly Buffer[],
  { layout, samples }: { layout: SoundLayout; samples: number },
): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.nbSamples = samples
  frame.format = AV_SAMPLE_FMT_FLTP
  frame.sampleRate = soundRate
  frame.channelLayout = channelLayout(layout)
  requireSuccess(frame.getBuffer(), 'make sound')
  for (const [index, data] of (frame.data ?? []).entries()) {
    channelData[index]?.copy(data, 0, 0, samples * sampleBytes)
  }
  return frame
}
