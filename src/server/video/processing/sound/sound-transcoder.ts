import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants'
import { avChannelLayoutDefault, Frame, type Stream } from 'node-av/lib'
import {
  closeEncoder,
  type Deliver,
  type Encoder,
  encodeFrame,
  soundFrameSize,
  soundRate,
} from '../encode/encoder.ts'
import { requireSuccess } from '../ffmpeg-calls.ts'
import { closeChain, type FilterChain, filterFrame, openSoundChain } from '../filter-chain.ts'
import type { PacketSink } from '../source/open-source.ts'
import { closeDecoder, decodePacket, type StreamDecoder } from '../source/stream-decoder.ts'
import { isTimestamp, toSeconds, toTimestamp } from '../timestamps.ts'

/** FFmpeg's filter would hold the whole silence of a longer gap in memory. */
const longGapSeconds = 1

export type SoundTranscoder = PacketSink & {
  /** Adds silence up to this time; to be called once, before `finish`. */
  lastUntil: (seconds: number) => void
}

/** Measures a track's sound while it passes. */
export type SoundMeter = {
  /** Takes a frame of 48 kHz stereo sound; it is left as it is. */
  push: (frame: Frame) => void
}

/** What happens to a track's sound once it is stereo at 48 kHz without gaps. */
type SoundUse = {
  encode?: { encoder: Encoder; deliver: Deliver }
  meters?: SoundMeter[]
}

/** Decodes a sound track, brings it to stereo at 48 kHz, and encodes it as AAC, measures it, or both. */
export function makeSoundTranscoder(
  stream: Stream,
  options: {
    decoder: StreamDecoder
    offsetSeconds: number
    use: SoundUse
    /** In samples of 48 kHz: what comes before is left out. */
    firstSample?: number
  },
): SoundTranscoder {
  const { decoder, use, firstSample = 0 } = options
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
  const fillGap = (untilSeconds: number, leastSeconds: number) => {
    const isMissing = () => untilSeconds - Number(samples) / soundRate > leastSeconds
    if (!isMissing()) return
    closeOldChain()
    const silence = makeSilence()
    while (isMissing()) take(silence)
    silence.free()
  }
  const onFrame = (frame: Frame): undefined => {
    if (isTimestamp(frame.bestEffortTimestamp)) {
      frame.pts = frame.bestEffortTimestamp - offset
      fillGap(toSeconds(frame.pts, stream.timeBase), longGapSeconds)
    }
    const shape = [frame.sampleRate, frame.format, frame.channels].join()
    if (chain?.shape !== shape) {
      closeOldChain()
      const filters = soundFilters(frame, samples)
      chain = { shape, filters: openSoundChain(frame, stream.timeBase, filters) }
    }
    filterFrame(chain.filters, frame, take)
  }
  const drain = () => {
    decodePacket(decoder, null, onFrame)
    closeOldChain()
  }
  let drained = false
  return {
    push: (packet) => decodePacket(decoder, packet, onFrame),
    lastUntil: (seconds) => {
      drain()
      drained = true
      fillGap(seconds, soundFrameSize / soundRate)
    },
    finish: () => {
      if (!drained) drain()
      closeDecoder(decoder)
      if (!use.encode) return
      encodeFrame(use.encode.encoder, null, use.encode.deliver)
      closeEncoder(use.encode.encoder)
    },
  }
}

function makeSilence(): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.nbSamples = soundFrameSize
  frame.format = AV_SAMPLE_FMT_FLTP
  frame.sampleRate = soundRate
  frame.channelLayout = avChannelLayoutDefault(2)
  requireSuccess(frame.getBuffer(), 'make silence')
  for (const channel of frame.data ?? []) channel.fill(0)
  return frame
}

/**
 * `async` fills gaps with silence and `first_pts` (in samples of the source) the time since the last
 * sound: what comes out has neither gaps nor an offset, so that counting its samples gives the time.
 */
function soundFilters({ sampleRate }: Frame, samplesWritten: bigint): string[] {
  const firstSample = Math.round((Number(samplesWritten) * sampleRate) / soundRate)
  return [
    `aresample=${soundRate}:async=1:first_pts=${firstSample}`,
    `aformat=sample_fmts=fltp:sample_rates=${soundRate}:channel_layouts=stereo`,
    `asetnsamples=n=${soundFrameSize}:p=1`,
  ]
}
