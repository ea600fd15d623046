import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants'
import { Frame, type Stream } from 'node-av/lib'
import {
  channelLayout,
  closeEncoder,
  type Deliver,
  type Encoder,
  encodeFrame,
  type SoundLayout,
  soundFrameSize,
  soundRate,
  stereo,
} from '../encode/encoder.ts'
import { requireSuccess } from '../ffmpeg-calls.ts'
import { closeChain, type FilterChain, filterFrame, openSoundChain } from '../filter-chain.ts'
import { isPauseDue, pause } from '../pauses.ts'
import type { PacketSink } from '../source/open-source.ts'
import { closeDecoder, decodePacket, type StreamDecoder } from '../source/stream-decoder.ts'
import { isTimestamp, toSeconds, toTimestamp } from '../timestamps.ts'

/** FFmpeg's filter would hold longer silence in memory. */
const longGapSeconds = 1

/**
 * Smaller offsets are imprecise timestamps: Matroska's are whole milliseconds, and clocks drift.
 */
const leastGapSeconds = 0.012

export type SoundTranscoder = PacketSink & {
  /** Pads with silence; once, before `finish`. */
  lastUntil: (seconds: number) => Promise<void>
}

export type SoundMeter = {
  /** 48 kHz stereo, unchanged. */
  push: (frame: Frame) => void
}

type SoundUse = {
  encode?: { encoder: Encoder; deliver: Deliver }
  meters?: SoundMeter[]
}

export function makeSoundTranscoder(
  stream: Stream,
  options: {
    decoder: StreamDecoder
    offsetSeconds: number
    use: SoundUse
    /** In 48 kHz samples. */
    firstSample?: number
    /** Meters may need stereo. */
    layout?: SoundLayout
  },
): SoundTranscoder {
  const { decoder, use, firstSample = 0, layout = stereo } = options
  const offset = toTimestamp(options.offsetSeconds, stream.timeBase)
  let chain: { shape: string; filters: FilterChain } | null = null
  let samples = BigInt(firstSample)

  const take = (frame: Frame) => {
    frame.pts = samples
    samples += BigInt(frame.nbSamples)
    for (const meter of use.meters ?? []) meter.push(frame)
    if (use.encode) encodeFrame(use.encode.encoder, frame, use.encode.deliver)
  }
  const closeOldChain = () => {
    if (!chain) return
    filterFrame(chain.filters, null, take)
    closeChain(chain.filters)
    chain = null
  }
  const isMissing = (untilSeconds: number, leastSeconds: number) =>
    untilSeconds - Number(samples) / soundRate > leastSeconds
  const fillGap = async (untilSeconds: number, leastSeconds: number) => {
    if (!isMissing(untilSeconds, leastSeconds)) return
    closeOldChain()
    const silence = makeSilence(layout)
    while (isMissing(untilSeconds, leastSeconds)) {
      take(silence)
      if (isPauseDue()) await pause()
    }
    silence.free()
  }
  const filter = (frame: Frame) => {
    const shape = [frame.sampleRate, frame.format, frame.channels].join()
    if (chain?.shape !== shape) {
      closeOldChain()
      const filters = soundFilters(frame, samples, layout)
      chain = { shape, filters: openSoundChain(frame, stream.timeBase, filters) }
    }
    filterFrame(chain.filters, frame, take)
  }
  /** Filled once the decoder is flushed. */
  const waiting: Frame[] = []
  const onFrame = (frame: Frame): undefined => {
    let isLate = false
    if (isTimestamp(frame.bestEffortTimestamp)) {
      frame.pts = frame.bestEffortTimestamp - offset
      isLate = isMissing(toSeconds(frame.pts, stream.timeBase), longGapSeconds)
    }
    const kept = isLate || waiting.length > 0 ? frame.clone() : null
    if (kept) waiting.push(kept)
    else filter(frame)
  }
  const filterWaiting = async (): Promise<undefined> => {
    for (let frame = waiting.shift(); frame; frame = waiting.shift()) {
      if (isTimestamp(frame.pts)) {
        await fillGap(toSeconds(frame.pts, stream.timeBase), longGapSeconds)
      }
      filter(frame)
      frame.free()
    }
  }
  const drain = async () => {
    decodePacket(decoder, null, onFrame)
    await filterWaiting()
    closeOldChain()
  }
  let drained = false
  return {
    push: (packet) => {
      decodePacket(decoder, packet, onFrame)
      return waiting.length > 0 ? filterWaiting() : undefined
    },
    lastUntil: async (seconds) => {
      await drain()
      drained = true
      await fillGap(seconds, soundFrameSize / soundRate)
    },
    finish: async () => {
      if (!drained) await drain()
      closeDecoder(decoder)
      if (!use.encode) return
      encodeFrame(use.encode.encoder, null, use.encode.deliver)
      closeEncoder(use.encode.encoder)
    },
  }
}

function makeSilence(layout: SoundLayout): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.nbSamples = soundFrameSize
  frame.format = AV_SAMPLE_FMT_FLTP
  frame.sampleRate = soundRate
  frame.channelLayout = channelLayout(layout)
  requireSuccess(frame.getBuffer(), 'make silence')
  for (const channel of frame.data ?? []) channel.fill(0)
  return frame
}

/**
 * `async` fills gaps and `first_pts` the start, so that the sample count gives the time.
 * `min_hard_comp` is the smallest correction, by default 100 ms.
 */
function soundFilters(
  { sampleRate }: Frame,
  samplesWritten: bigint,
  { mask }: SoundLayout,
): string[] {
  const firstSample = Math.round((Number(samplesWritten) * sampleRate) / soundRate)
  return [
    `aresample=${soundRate}:async=1:min_hard_comp=${leastGapSeconds}:first_pts=${firstSample}`,
    `aformat=sample_fmts=fltp:sample_rates=${soundRate}:channel_layouts=0x${mask.toString(16)}`,
    `asetnsamples=n=${soundFrameSize}:p=1`,
  ]
}
