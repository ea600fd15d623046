import { AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_NONE, AVCOL_SPC_RGB } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { encodeFrame, openPictureEncoder, pictureClock } from './encoder.ts'
import { closeChain, type FilterChain, filterFrame, openPictureChain } from './filter-chain.ts'
import { makeFrameClock } from './frame-clock.ts'
import type { Lane } from './lane.ts'
import type { Mp4Output } from './mp4-output.ts'
import type { Source } from './open-source.ts'
import { type Picture, type Size, uprightFilters } from './picture.ts'
import { decodePacket, openDecoder } from './stream-decoder.ts'
import { rescale } from './timestamps.ts'

const keyFrameTicks = BigInt(2 * pictureClock.den)

/** Decodes the picture, makes it upright, progressive, square and `size`, and encodes it as H.264. */
export function makePictureLane(
  output: Mp4Output,
  source: Source,
  { picture, size, frameRate }: { picture: Picture; size: Size; frameRate: number },
): Lane {
  const decoder = openDecoder(source.video)
  if (!decoder) throw new Error('The picture decoder does not open any more.')
  const encoder = openPictureEncoder(output, size, { picture, frameRate: Math.min(frameRate, 60) })
  const clock = makeFrameClock(source, frameRate)
  let chain: { shape: string; filters: FilterChain } | null = null
  let nextKeyFrame = 0n

  const encode = (frame: Frame) => {
    if (!chain) return
    const base = chain.filters.sink.buffersinkGetTimeBase()
    frame.pts = rescale(frame.pts, base, pictureClock)
    frame.duration = rescale(frame.duration, base, pictureClock)
    frame.timeBase = pictureClock
    const isDue = frame.pts >= nextKeyFrame
    frame.pictType = isDue ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    if (isDue) nextKeyFrame = (frame.pts / keyFrameTicks + 1n) * keyFrameTicks
    encodeFrame(encoder, frame)
  }
  const closeOldChain = () => {
    if (!chain) return
    filterFrame(chain.filters, null, encode)
    closeChain(chain.filters)
    chain = null
  }
  const onFrame = (frame: Frame): undefined => {
    const pts = clock.stamp(frame)
    if (pts === null) return
    frame.pts = pts
    frame.duration = rescale(frame.duration, source.video.timeBase, pictureClock)
    const shape = frameShape(frame)
    if (chain?.shape !== shape) {
      closeOldChain()
      const filters = pictureFilters(picture, size, frame)
      chain = { shape, filters: openPictureChain(frame, pictureClock, filters) }
    }
    filterFrame(chain.filters, frame, encode)
  }
  return {
    push: (packet) => {
      clock.notePacket(packet)
      decodePacket(decoder, packet, onFrame)
    },
    finish: () => {
      decodePacket(decoder, null, onFrame)
      closeOldChain()
      encodeFrame(encoder, null)
    },
  }
}

/** A recording may change its picture size on the way: then it gets new filters, to the same size. */
function frameShape(frame: Frame): string {
  return [frame.width, frame.height, frame.format, frame.colorSpace, frame.colorRange].join()
}

function pictureFilters(picture: Picture, size: Size, frame: Frame): string[] {
  const isUsual = frame.width === picture.storedWidth && frame.height === picture.storedHeight
  const { width, height } = size
  const matrix = frame.colorSpace === AVCOL_SPC_RGB ? ':out_color_matrix=bt709' : ''
  const scaling = `flags=bicubic:out_range=limited${matrix}`
  const filters = uprightFilters(
    picture.orientation,
    size,
    isUsual ? scaling : `${scaling}:force_original_aspect_ratio=decrease`,
  )
  if (picture.interlaced) filters.unshift('bwdif=mode=send_frame:deint=interlaced')
  if (!isUsual) filters.push(`pad=${width}:${height}:-1:-1`)
  return [...filters, 'format=yuv420p']
}
