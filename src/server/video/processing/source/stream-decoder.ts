import { availableParallelism } from 'node:os'
import { AVERROR_EAGAIN, AVERROR_EOF, type AVPixelFormat } from 'node-av/constants'
import { avGetPixFmtName, CodecContext, Frame, type Packet, type Stream } from 'node-av/lib'
import { requireSuccess, setCodecOptions } from '../ffmpeg-calls.ts'
import { longSeconds, maxVideoPixels } from '../media-limits.ts'
import { findDecoder } from './decoders.ts'

/**
 * Decoded before the wanted time: for the decoder's lead-in, sound stored slightly early, and
 * pictures decoded before they are shown.
 */
export const leadInSeconds = 1

/** One per frame of its threads. */
const maxErrorsPerPacket = 32

export type StreamDecoder = { context: CodecContext; frame: Frame }

/** More threads would take too much memory. */
const threadedPixels = 4096 * 2304

/** For over 8 bits per sample. */
const deepFactor = 2

/** Each thread holds one more picture. */
const mostThreads = { usually: 4, ofLong: 2 }

/**
 * Null if there is no decoder, or it rejects the stream.
 * @param options.durationSeconds if long, memory matters more than speed
 */
export function openDecoder(
  stream: Stream,
  { durationSeconds = 0 }: { durationSeconds?: number } = {},
): StreamDecoder | null {
  const { codecpar } = stream
  const codec = findDecoder(stream)
  if (!codec) return null
  const context = new CodecContext()
  context.allocContext3(codec)
  requireSuccess(context.parametersToContext(codecpar), 'set up decoder')
  context.pktTimebase = stream.timeBase
  const isDeep = /1[0-6](le|be)$/.test(avGetPixFmtName(codecpar.format as AVPixelFormat) ?? '')
  const large = codecpar.width * codecpar.height * (isDeep ? deepFactor : 1) > threadedPixels
  const most = durationSeconds < longSeconds ? mostThreads.usually : mostThreads.ofLong
  context.threadCount = large ? 1 : Math.min(availableParallelism(), most)
  setCodecOptions(context, { max_pixels: `${maxVideoPixels}` })
  if (context.open2Sync(codec, null) < 0) return null
  const frame = new Frame()
  frame.alloc()
  return { context, frame }
}

export function canDecode(stream: Stream): boolean {
  const decoder = openDecoder(stream)
  if (decoder) closeDecoder(decoder)
  return decoder !== null
}

/** Null flushes; skips damaged packets. The frame is valid during the call; false ends it. */
export function decodePacket(
  decoder: StreamDecoder,
  packet: Packet | null,
  onFrame: (frame: Frame) => boolean | undefined,
): void {
  const { context, frame } = decoder
  context.sendPacketSync(packet)
  for (let errors = 0; errors < maxErrorsPerPacket; ) {
    const code = context.receiveFrameSync(frame)
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
    if (code < 0) {
      errors += 1
      continue
    }
    const continues = onFrame(frame)
    frame.unref()
    if (continues === false) return
  }
}

export function closeDecoder(decoder: StreamDecoder): void {
  decoder.frame.free()
  decoder.context.freeContext()
}
