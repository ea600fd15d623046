import { writeFile } from 'node:fs/promises'
import {
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_QSCALE,
  type AVPixelFormat,
  FF_ENCODER_MJPEG,
} from 'node-av/constants'
import { Codec, CodecContext, type Frame, Packet, Rational } from 'node-av/lib'
import { requireSuccess } from './ffmpeg-result.ts'

/** Posters and thumbnails fit inside this. */
export const jpegBox = { width: 1280, height: 720 }

/** Filters that give the encoder what JPEG means: full range, BT.601. */
export const jpegScaling = 'flags=bicubic:out_range=full:out_color_matrix=bt601'
export const jpegPixels = 'format=yuvj420p'

/** FFmpeg's quantizer, 2 (best) to 31: about 100 kB for 1280x720. */
const quality = 4

/** Writes a `yuvj420p` frame, without any metadata. */
export async function writeJpeg(path: string, frame: Frame): Promise<void> {
  await writeFile(path, encodeJpeg(frame))
}

function encodeJpeg(frame: Frame): Buffer {
  const codec = Codec.findEncoderByName(FF_ENCODER_MJPEG)
  const encoder = new CodecContext()
  encoder.allocContext3(codec)
  encoder.width = frame.width
  encoder.height = frame.height
  encoder.pixelFormat = frame.format as AVPixelFormat
  encoder.colorRange = frame.colorRange
  encoder.timeBase = new Rational(1, 25)
  encoder.threadCount = 1
  encoder.setFlags(AV_CODEC_FLAG_QSCALE, AV_CODEC_FLAG_BITEXACT)
  encoder.globalQuality = quality * 118
  requireSuccess(encoder.open2Sync(codec, null), 'open JPEG encoder')
  frame.quality = quality * 118
  requireSuccess(encoder.sendFrameSync(frame), 'encode JPEG')
  const packet = new Packet()
  packet.alloc()
  requireSuccess(encoder.receivePacketSync(packet), 'encode JPEG')
  const bytes = Buffer.from(packet.data ?? [])
  packet.free()
  encoder.freeContext()
  return bytes
}
