import type { AVPixelFormat, FFVideoEncoder } from 'node-av/constants'
import { Codec, CodecContext, type Frame, Packet, Rational } from 'node-av/lib'
import { requireSuccess } from '../ffmpeg-calls.ts'

/** @returns null without the encoder */
export function encodeStill(
  encoderName: FFVideoEncoder,
  frame: Frame,
  configure?: (encoder: CodecContext) => void,
): Buffer | null {
  const codec = Codec.findEncoderByName(encoderName)
  if (!codec) return null
  const encoder = new CodecContext()
  encoder.allocContext3(codec)
  encoder.width = frame.width
  encoder.height = frame.height
  encoder.pixelFormat = frame.format as AVPixelFormat
  encoder.colorRange = frame.colorRange
  encoder.timeBase = new Rational(1, 25)
  encoder.threadCount = 1
  configure?.(encoder)
  requireSuccess(encoder.open2Sync(codec, null), `open ${encoderName} encoder`)
  frame.pts = 0n
  requireSuccess(encoder.sendFrameSync(frame), `encode ${encoderName}`)
  const packet = new Packet()
  packet.alloc()
  requireSuccess(encoder.receivePacketSync(packet), `encode ${encoderName}`)
  const bytes = Buffer.from(packet.data ?? [])
  packet.free()
  encoder.freeContext()
  return bytes
}
