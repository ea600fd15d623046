import {
  AV_FRAME_FLAG_INTERLACED,
  AVCOL_SPC_BT709,
  AVCOL_SPC_RGB,
  type AVColorPrimaries,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
  type AVPixelFormat,
} from 'node-av/constants'
import type { Frame, IRational } from 'node-av/lib'
import { damagedVideo, UnplayableSourceError, unknownVideo } from '../media-errors.ts'
import { maxVideoSide } from '../media-limits.ts'
import { type Orientation, readOrientation } from './display-matrix.ts'
import { readPackets, type Source } from './open-source.ts'
import { closeDecoder, decodePacket, openDecoder } from './stream-decoder.ts'

/** Measured on decoded pictures. */
export type Picture = {
  storedWidth: number
  storedHeight: number
  /** Upright, square pixels. */
  width: number
  height: number
  orientation: Orientation
  squarePixels: boolean
  interlaced: boolean
  pixelFormat: AVPixelFormat
  colorSpace: AVColorSpace
  colorPrimaries: AVColorPrimaries
  colorTransfer: AVColorTransferCharacteristic
}

export type Size = { width: number; height: number }

const examinedFrames = 12

/**
 * Moves the source's position.
 * @throws UnplayableSourceError when nothing can be decoded, and for a side over 16,384
 */
export async function inspectPicture(source: Source): Promise<Picture> {
  const decoder = openDecoder(source.video)
  if (!decoder) throw unknownVideo()
  const frames: Picture[] = []
  const onFrame = (frame: Frame) => {
    frames.push(describePicture(source, frame))
    return frames.length < examinedFrames
  }
  await readPackets(source, (packet) => {
    if (packet.streamIndex === source.video.index) decodePacket(decoder, packet, onFrame)
    return frames.length < examinedFrames
  })
  if (frames.length < examinedFrames) decodePacket(decoder, null, onFrame)
  closeDecoder(decoder)
  const picture = frames[0]
  if (!picture) throw damagedVideo()
  const { storedWidth, storedHeight, width, height } = picture
  if (Math.max(storedWidth, storedHeight, width, height) > maxVideoSide) {
    throw new UnplayableSourceError('The picture of this video is too large.')
  }
  return { ...picture, interlaced: frames.some((one) => one.interlaced) }
}

export function storedSize({ storedWidth, storedHeight }: Picture): Size {
  return { width: storedWidth, height: storedHeight }
}

/** Never enlarges; even sides, at least 2. */
export function fitInside(size: Size, box: Size): Size {
  const scale = Math.min(1, box.width / size.width, box.height / size.height)
  const even = (length: number) => Math.max(2, Math.floor(Math.round(length * scale) / 2) * 2)
  return { width: even(size.width), height: even(size.height) }
}

export function uprightFilters(orientation: Orientation, size: Size, scaling: string): string[] {
  const turned = orientation.rotation === 90 || orientation.rotation === 270
  const [width, height] = turned ? [size.height, size.width] : [size.width, size.height]
  return [`scale=${width}:${height}:${scaling}`, ...orientation.filters, 'setsar=1']
}

function describePicture(source: Source, frame: Frame): Picture {
  const { video } = source
  const orientation = readOrientation(video)
  const aspect = pixelAspect(video.sampleAspectRatio, frame.sampleAspectRatio)
  const turned = orientation.rotation === 90 || orientation.rotation === 270
  const shown = stretch({ width: frame.width, height: frame.height }, aspect)
  const rgb = frame.colorSpace === AVCOL_SPC_RGB
  return {
    storedWidth: frame.width,
    storedHeight: frame.height,
    width: turned ? shown.height : shown.width,
    height: turned ? shown.width : shown.height,
    orientation,
    squarePixels: aspect === 1,
    interlaced: (frame.flags & AV_FRAME_FLAG_INTERLACED) !== 0,
    pixelFormat: frame.format as AVPixelFormat,
    colorSpace: rgb ? AVCOL_SPC_BT709 : frame.colorSpace,
    colorPrimaries: frame.colorPrimaries,
    colorTransfer: frame.colorTrc,
  }
}

/** Players prefer the container's value. */
function pixelAspect(...candidates: IRational[]): number {
  const declared = candidates.find((one) => one.num > 0 && one.den > 0)
  const aspect = declared ? declared.num / declared.den : 1
  return aspect > 1 / 16 && aspect < 16 ? aspect : 1
}

/** Enlarges one side, like browsers. */
function stretch(size: Size, aspect: number): Size {
  return aspect >= 1
    ? { width: Math.round(size.width * aspect), height: size.height }
    : { width: size.width, height: Math.round(size.height / aspect) }
}
