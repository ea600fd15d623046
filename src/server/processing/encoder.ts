import { availableParallelism } from 'node:os'
import {
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_RANGE_MPEG,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  type FFEncoderCodec,
} from 'node-av/constants'
import {
  avChannelLayoutDefault,
  Codec,
  CodecContext,
  type Frame,
  Packet,
  Rational,
} from 'node-av/lib'
import { setCodecOptions } from './codec-options.ts'
import { requireSuccess } from './ffmpeg-result.ts'
import { addEncodedTrack, type Mp4Output, type Mp4Track, writePacket } from './mp4-output.ts'
import type { Picture, Size } from './picture.ts'

export type Encoder = { context: CodecContext; track: Mp4Track; output: Mp4Output; packet: Packet }

/** Fine enough for every usual frame rate. */
export const pictureClock = new Rational(1, 90_000)

export const soundRate = 48_000

/** In bits per second: what even a very busy picture may take. */
const maxBitRate = 20_000_000

/** Samples in one AAC packet. */
export const soundFrameSize = 1024

/**
 * H.264 High, 8-bit 4:2:0; frames come with timestamps in `pictureClock`, key frames when asked for.
 * A `frameRate` of 0 means that it is not known.
 */
export function openPictureEncoder(
  output: Mp4Output,
  size: Size,
  source: { picture: Picture; frameRate: number },
): Encoder {
  const { picture, frameRate } = source
  const context = allocateEncoder(FF_ENCODER_LIBX264)
  context.width = size.width
  context.height = size.height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = pictureClock
  context.framerate = new Rational(Math.round((frameRate || 30) * 1000), 1000)
  context.sampleAspectRatio = new Rational(1, 1)
  context.rcMaxRate = BigInt(maxBitRate)
  context.rcBufferSize = 2 * maxBitRate
  context.colorRange = AVCOL_RANGE_MPEG
  context.colorSpace = picture.colorSpace
  context.colorPrimaries = picture.colorPrimaries
  context.colorTrc = picture.colorTransfer
  context.threadCount = Math.min(availableParallelism(), 8)
  context.setFlags(AV_CODEC_FLAG_FRAME_DURATION)
  return openEncoder(output, context, {
    preset: 'veryfast',
    crf: '22',
    profile: 'high',
    'forced-idr': '1',
  })
}

/** AAC-LC, stereo, 48 kHz; frames come with timestamps in samples. */
export function openSoundEncoder(output: Mp4Output): Encoder {
  const context = allocateEncoder(FF_ENCODER_AAC)
  context.sampleRate = soundRate
  context.sampleFormat = AV_SAMPLE_FMT_FLTP
  context.channelLayout = avChannelLayoutDefault(2)
  context.timeBase = new Rational(1, soundRate)
  context.bitRate = 160_000n
  return openEncoder(output, context, {})
}

/** Encodes and writes one frame, or with `null` what is still inside. */
export function encodeFrame(encoder: Encoder, frame: Frame | null): void {
  const { context, packet, output, track } = encoder
  requireSuccess(context.sendFrameSync(frame), 'encode')
  for (;;) {
    const code = context.receivePacketSync(packet)
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
    requireSuccess(code, 'encode')
    writePacket(output, track, packet, { base: context.timeBase, interleaved: true })
    packet.unref()
  }
}

function allocateEncoder(name: FFEncoderCodec): CodecContext {
  const context = new CodecContext()
  context.allocContext3(Codec.findEncoderByName(name))
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  return context
}

function openEncoder(
  output: Mp4Output,
  context: CodecContext,
  options: Record<string, string>,
): Encoder {
  setCodecOptions(context, options)
  requireSuccess(context.open2Sync(null, null), 'open encoder')
  const packet = new Packet()
  packet.alloc()
  return { context, packet, output, track: addEncodedTrack(output, context) }
}
