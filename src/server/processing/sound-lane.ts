import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants'
import { avChannelLayoutDefault, Frame, type Stream } from 'node-av/lib'
import { encodeFrame, openSoundEncoder, soundFrameSize, soundRate } from './encoder.ts'
import { requireSuccess } from './ffmpeg-result.ts'
import { closeChain, type FilterChain, filterFrame, openSoundChain } from './filter-chain.ts'
import type { Lane } from './lane.ts'
import type { Mp4Output } from './mp4-output.ts'
import { decodePacket, type StreamDecoder } from './stream-decoder.ts'
import { isTimestamp, toSeconds, toTimestamp } from './timestamps.ts'

/** FFmpeg's filter would hold the whole silence of a longer gap in memory. */
const longGapSeconds = 1

/** Decodes a sound track and encodes it as AAC stereo at 48 kHz. */
export function makeSoundLane(
  output: Mp4Output,
  stream: Stream,
  { decoder, offsetSeconds }: { decoder: StreamDecoder; offsetSeconds: number },
): Lane {
  const encoder = openSoundEncoder(output)
  const offset = toTimestamp(offsetSeconds, stream.timeBase)
  let chain: { shape: string; filters: FilterChain } | null = null
  let samples = 0n

  const encode = (frame: Frame) => {
    frame.pts = samples
    samples += BigInt(frame.nbSamples)
    encodeFrame(encoder, frame)
  }
  const closeOldChain = () => {
    if (!chain) return
    filterFrame(chain.filters, null, encode)
    closeChain(chain.filters)
    chain = null
  }
  const fillGap = (untilSeconds: number) => {
    const isMissing = () => untilSeconds - Number(samples) / soundRate > longGapSeconds
    if (!isMissing()) return
    closeOldChain()
    const silence = makeSilence()
    while (isMissing()) encode(silence)
    silence.free()
  }
  const onFrame = (frame: Frame): undefined => {
    if (isTimestamp(frame.bestEffortTimestamp)) {
      frame.pts = frame.bestEffortTimestamp - offset
      fillGap(toSeconds(frame.pts, stream.timeBase))
    }
    const shape = [frame.sampleRate, frame.format, frame.channels].join()
    if (chain?.shape !== shape) {
      closeOldChain()
      chain = {
        shape,
        filters: openSoundChain(frame, stream.timeBase, soundFilters(frame, samples)),
      }
    }
    filterFrame(chain.filters, frame, encode)
  }
  return {
    push: (packet) => decodePacket(decoder, packet, onFrame),
    finish: () => {
      decodePacket(decoder, null, onFrame)
      closeOldChain()
      encodeFrame(encoder, null)
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
 * sound: what comes out has neither gaps nor an offset, so that counting its samples tells the time.
 */
function soundFilters({ sampleRate }: Frame, samplesWritten: bigint): string[] {
  const firstSample = Math.round((Number(samplesWritten) * sampleRate) / soundRate)
  return [
    `aresample=${soundRate}:async=1:first_pts=${firstSample}`,
    `aformat=sample_fmts=fltp:sample_rates=${soundRate}:channel_layouts=stereo`,
    `asetnsamples=n=${soundFrameSize}:p=1`,
  ]
}
