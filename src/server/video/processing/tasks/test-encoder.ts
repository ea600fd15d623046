import { AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_NONE, AV_PIX_FMT_YUV420P } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import { closeEncoder, encodeFrame, openPictureEncoder, pictureClock } from '../encode/encoder.ts'
import type { EncoderName } from '../encode/encoder-name.ts'
import { requireSuccess } from '../ffmpeg-calls.ts'

const size = { width: 640, height: 360 }
const frameRate = 30
const frameCount = 40
const keyFrameAt = 20

/** @throws when this machine cannot, or key frames come at other places than requested */
export function testEncoder(name: EncoderName): void {
  const settings = { size, frameRate, maxBitRate: 2_000_000, quality: 23, encoder: name }
  const encoder = openPictureEncoder(settings)
  if (!encoder.context.extraData?.length) throw new Error('The encoder does not describe itself.')
  const step = BigInt(pictureClock.den / frameRate)
  const keys: bigint[] = []
  let packets = 0
  const frame = makeGrey()
  const take: Parameters<typeof encodeFrame>[2] = (packet) => {
    packets += 1
    if (packet.isKeyframe) keys.push(packet.pts / step)
  }
  for (let index = 0; index < frameCount; index += 1) {
    frame.pts = BigInt(index) * step
    frame.pictType = index % keyFrameAt === 0 ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    encodeFrame(encoder, frame, take)
  }
  encodeFrame(encoder, null, take)
  frame.free()
  closeEncoder(encoder)
  if (packets !== frameCount) throw new Error(`${packets} of ${frameCount} pictures came out.`)
  if (keys.join() !== `0,${keyFrameAt}`) throw new Error(`The key frames were ${keys.join()}.`)
}

function makeGrey(): Frame {
  const frame = new Frame()
  frame.alloc()
  frame.width = size.width
  frame.height = size.height
  frame.format = AV_PIX_FMT_YUV420P
  frame.timeBase = pictureClock
  requireSuccess(frame.getBuffer(), 'make picture')
  for (const plane of frame.data ?? []) plane.fill(128)
  return frame
}
