import { AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_S32, FF_ENCODER_PCM_S32LE } from 'node-av/constants'
import { Codec, CodecContext, type Frame, Packet, Rational, type Stream } from 'node-av/lib'
import { requireSuccess } from '../ffmpeg-calls.ts'
import { closeChain, type FilterChain, filterFrame, openSoundChain } from '../filter-chain.ts'
import { unknownVideo } from '../media-errors.ts'
import { addPlainTrack, type MatroskaOutput, writeMatroska } from '../package/matroska-output.ts'
import { codecName } from '../source/open-source.ts'
import { closeDecoder, decodePacket, openDecoder } from '../source/stream-decoder.ts'
import { isTimestamp, rescale } from '../timestamps.ts'

/** Codecs without a Matroska name. */
const foreignSounds = new Set([
  ...['pcm_bluray', 'pcm_dvd', 's302m', 'aac_latm', 'nellymoser', 'adpcm_swf', 'speex'],
])

export function isKeptAsPcm(stream: Stream): boolean {
  return foreignSounds.has(codecName(stream))
}

export function pcmTrack(output: MatroskaOutput, stream: Stream) {
  const decoder = openDecoder(stream)
  if (!decoder) throw unknownVideo()
  const encoder = openPcmEncoder(stream)
  const { mask, nbChannels } = encoder.channelLayout
  const track = addPlainTrack(output, encoder)
  const base = new Rational(1, encoder.sampleRate)
  const layout = mask === 0n ? `${nbChannels}c` : `0x${mask.toString(16)}`
  const shape = `sample_fmts=s32:sample_rates=${encoder.sampleRate}:channel_layouts=${layout}`
  const packet = new Packet()
  packet.alloc()
  let chain: { shape: string; filters: FilterChain } | null = null
  const write = (frame: Frame) => {
    if (encoder.sendFrameSync(frame) < 0) return
    while (encoder.receivePacketSync(packet) >= 0) {
      writeMatroska(output, track, { packet, base })
      packet.unref()
    }
  }
  const closeOldChain = () => {
    if (!chain) return
    filterFrame(chain.filters, null, write)
    closeChain(chain.filters)
    chain = null
  }
  const onFrame = (frame: Frame): undefined => {
    const time = frame.bestEffortTimestamp
    if (!isTimestamp(time)) return
    frame.pts = rescale(time, stream.timeBase, base)
    const now = [frame.sampleRate, frame.format, frame.channels].join()
    if (chain?.shape !== now) {
      closeOldChain()
      chain = { shape: now, filters: openSoundChain(frame, base, [`aformat=${shape}`]) }
    }
    filterFrame(chain.filters, frame, write)
  }
  return {
    push: (one: Packet) => decodePacket(decoder, one, onFrame),
    finish() {
      decodePacket(decoder, null, onFrame)
      closeOldChain()
      closeDecoder(decoder)
      packet.free()
      encoder.freeContext()
    },
  }
}

function openPcmEncoder({ codecpar }: Stream): CodecContext {
  const { sampleRate, channelLayout } = codecpar
  const { nbChannels: count } = channelLayout
  const codec = Codec.findEncoderByName(FF_ENCODER_PCM_S32LE)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.sampleRate = sampleRate
  context.sampleFormat = AV_SAMPLE_FMT_S32
  context.channelLayout =
    channelLayout.mask === 0n && count <= 2
      ? { order: AV_CHANNEL_ORDER_NATIVE, nbChannels: count, mask: count === 1 ? 4n : 3n }
      : channelLayout
  context.timeBase = new Rational(1, sampleRate)
  requireSuccess(context.open2Sync(codec, null), 'open PCM')
  return context
}
