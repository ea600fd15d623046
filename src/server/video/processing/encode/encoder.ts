import { availableParallelism } from 'node:os'
import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_H264,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_AAC,
  FF_ENCODER_H264_NVENC,
  FF_ENCODER_H264_QSV,
  FF_ENCODER_H264_VAAPI,
  FF_ENCODER_LIBX264,
  type FFEncoderCodec,
} from 'node-av/constants'
import {
  avChannelLayoutDefault,
  type ChannelLayout,
  Codec,
  CodecContext,
  type Frame,
  type IRational,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib'
import { requireSuccess, setCodecOptions } from '../ffmpeg-calls.ts'
import type { Size } from '../source/picture.ts'
import type { EncoderName } from './encoder-name.ts'
import { type FrameUpload, prepareUpload } from './frame-upload.ts'
import { limitHeldPictures } from './held-pictures.ts'
import { eraseEncoderName } from './user-data.ts'

export type Encoder = {
  context: CodecContext
  packet: Packet
  upload: FrameUpload | null
  /** Only the first packet has the encoder's name. */
  namesItself: boolean
}

/** May change but not keep the packet. */
export type Deliver = (packet: Packet, base: IRational) => void

export const pictureClock = new Rational(1, 90_000)

export const soundRate = 48_000

export const soundFrameSize = 1024

type PictureSettings = {
  size: Size
  /** 0 when unknown. */
  frameRate: number
  /** Bits per second, over any two seconds. */
  maxBitRate: number
  quality: number
  encoder?: EncoderName
  durationSeconds?: number
  /** Decoded size; `size` by default. */
  source?: Size
  colors?: ColorMeaning
}

export type ColorMeaning = Pick<
  CodecContext,
  'colorRange' | 'colorSpace' | 'colorPrimaries' | 'colorTrc'
>

const usualColors: ColorMeaning = {
  colorRange: AVCOL_RANGE_MPEG,
  colorSpace: AVCOL_SPC_BT709,
  colorPrimaries: AVCOL_PRI_BT709,
  colorTrc: AVCOL_TRC_BT709,
}

/**
 * H.264 High, 8-bit 4:2:0, times in `pictureClock`. Key frames only on request; no picture refers
 * across one.
 */
export function openPictureEncoder(settings: PictureSettings): Encoder {
  const { size, frameRate, maxBitRate, encoder: name = 'libx264' } = settings
  const context = allocateEncoder(ffmpegNames[name])
  context.width = size.width
  context.height = size.height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = pictureClock
  context.framerate = new Rational(Math.round((frameRate || 30) * 1000), 1000)
  context.sampleAspectRatio = new Rational(1, 1)
  context.rcMaxRate = BigInt(maxBitRate)
  context.rcBufferSize = 2 * maxBitRate
  Object.assign(context, settings.colors ?? usualColors)
  context.gopSize = keyFrameIntervalMax
  context.threadCount = Math.min(availableParallelism(), 8)
  const upload = prepareUpload(name, context)
  if (upload) context.pixelFormat = upload.pixelFormat
  if (name === 'libx264') context.setFlags(AV_CODEC_FLAG_FRAME_DURATION)
  const options = pictureOptions(name, settings.quality)
  const { source = size, durationSeconds = 0 } = settings
  const sizes = { encoded: size, source }
  const held = name === 'libx264' ? limitHeldPictures(sizes, durationSeconds) : {}
  return openEncoder(context, { ...options, ...held }, upload)
}

const ffmpegNames = {
  libx264: FF_ENCODER_LIBX264,
  h264_nvenc: FF_ENCODER_H264_NVENC,
  h264_qsv: FF_ENCODER_H264_QSV,
  h264_vaapi: FF_ENCODER_H264_VAAPI,
}

function pictureOptions(name: EncoderName, quality: number): Record<string, string> {
  switch (name) {
    case 'libx264':
      return {
        preset: 'veryfast',
        crf: `${quality}`,
        profile: 'high',
        'forced-idr': '1',
        sc_threshold: '0',
      }
    case 'h264_nvenc':
      return {
        preset: 'p4',
        rc: 'vbr',
        cq: `${quality}`,
        profile: 'high',
        'forced-idr': '1',
        'no-scenecut': '1',
      }
    case 'h264_qsv':
      return {
        preset: 'fast',
        global_quality: `${quality}`,
        profile: 'high',
        forced_idr: '1',
        adaptive_i: '0',
      }
    case 'h264_vaapi':
      return { rc_mode: 'QVBR', global_quality: `${quality}`, profile: 'high' }
  }
}

const keyFrameIntervalMax = 1200

/** Speakers in FFmpeg's own order. */
export type SoundLayout = { channels: number; mask: bigint }

export const stereo: SoundLayout = { channels: 2, mask: 0x3n }

/** Undeclared speakers are those usual for their number; null if unknown. */
export function readSoundLayout({ codecpar }: Stream): SoundLayout | null {
  const { channels, channelLayout: own } = codecpar
  const layout =
    own.order === AV_CHANNEL_ORDER_NATIVE && own.mask !== 0n
      ? own
      : avChannelLayoutDefault(channels)
  const isKnown = layout.order === AV_CHANNEL_ORDER_NATIVE && layout.nbChannels === channels
  return isKnown && layout.mask !== 0n ? { channels, mask: layout.mask } : null
}

export function channelLayout({ channels, mask }: SoundLayout): ChannelLayout {
  return { order: AV_CHANNEL_ORDER_NATIVE, nbChannels: channels, mask }
}

export function openSoundEncoder(bitRate: number, layout: SoundLayout = stereo): Encoder {
  const context = allocateEncoder(FF_ENCODER_AAC)
  context.sampleRate = soundRate
  context.sampleFormat = AV_SAMPLE_FMT_FLTP
  context.channelLayout = channelLayout(layout)
  context.timeBase = new Rational(1, soundRate)
  context.bitRate = BigInt(bitRate)
  return openEncoder(context, {}, null)
}

export function encodeFrame(encoder: Encoder, frame: Frame | null, deliver: Deliver): void {
  const { upload } = encoder
  if (frame && upload) upload.pass(frame, (passed) => sendFrame(encoder, passed, deliver))
  else sendFrame(encoder, frame, deliver)
}

function sendFrame(encoder: Encoder, frame: Frame | null, deliver: Deliver): void {
  const { context, packet } = encoder
  requireSuccess(context.sendFrameSync(frame), 'encode')
  for (;;) {
    const code = context.receivePacketSync(packet)
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
    requireSuccess(code, 'encode')
    if (encoder.namesItself) eraseEncoderName(packet)
    encoder.namesItself = false
    deliver(packet, context.timeBase)
    packet.unref()
  }
}

export function closeEncoder({ context, packet, upload }: Encoder): void {
  upload?.close()
  packet.free()
  context.freeContext()
}

export function allocateEncoder(name: FFEncoderCodec): CodecContext {
  const context = new CodecContext()
  context.allocContext3(Codec.findEncoderByName(name))
  // Omits the encoder's name.
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT)
  return context
}

export function openEncoder(
  context: CodecContext,
  options: Record<string, string>,
  upload: FrameUpload | null,
): Encoder {
  setCodecOptions(context, options)
  requireSuccess(context.open2Sync(null, null), 'open encoder')
  const packet = new Packet()
  packet.alloc()
  return { context, packet, upload, namesItself: context.codecId === AV_CODEC_ID_H264 }
}
