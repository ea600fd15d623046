import { readFile, stat, writeFile } from 'node:fs/promises'
import {
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_FRAME_DATA_DISPLAYMATRIX,
  type AVCodecID,
  type AVPixelFormat,
  FF_ENCODER_PNG,
} from 'node-av/constants'
import { avGetPixFmtName, Codec, CodecContext, Frame, Packet } from 'node-av/lib'
import { encodeStill } from '../encode/encode-still.ts'
import { jpegBox, jpegPixels, jpegScaling, writeJpeg } from '../encode/jpeg.ts'
import { requireSuccess, setCodecOptions } from '../ffmpeg-calls.ts'
import { filterOne } from '../filter-chain.ts'
import { UnplayableSourceError } from '../media-errors.ts'
import { maxThumbnailPixels, maxThumbnailSide } from '../media-limits.ts'
import { parseDisplayMatrix } from '../source/display-matrix.ts'
import { fitInside, uprightFilters } from '../source/picture.ts'
import type { ThumbnailResult, ThumbnailTask } from '../tasks/media-task.ts'

const maxFileBytes = 64 * 1024 * 1024

const tooLarge = 'This picture is too large.'
const unreadable = 'This picture is damaged, or larger than 40 megapixels.'

/**
 * Applies EXIF rotation. One decoder gets the bytes: no demuxer can be fooled.
 * @throws UnplayableSourceError for other or damaged files, and above 40 megapixels
 */
export async function makeThumbnail(task: ThumbnailTask): Promise<ThumbnailResult> {
  const { size: sizeBytes } = await stat(task.sourcePath)
  if (sizeBytes === 0) throw new UnplayableSourceError('The file is empty.')
  if (sizeBytes > maxFileBytes) throw new UnplayableSourceError(tooLarge)
  const frame = await decodePicture(task.sourcePath)
  const orientation = parseDisplayMatrix(frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX))
  const turned = orientation.rotation === 90 || orientation.rotation === 270
  const size = fitInside(
    turned
      ? { width: frame.height, height: frame.width }
      : { width: frame.width, height: frame.height },
    task.box ?? jpegBox,
  )
  const isPng = task.outputPath.endsWith('.png')
  const thumbnail = filterOne(frame, [
    ...uprightFilters(orientation, size, isPng ? 'flags=bicubic' : jpegScaling),
    ...(isPng ? pngPixels : [...opaqueFilters(frame), jpegPixels]),
  ])
  await (isPng ? writePng : writeJpeg)(task.outputPath, thumbnail)
  thumbnail.free()
  frame.free()
  return size
}

/**
 * The caller frees the result.
 * @throws UnplayableSourceError as above, and for a side over 32,767
 */
export async function decodePicture(path: string): Promise<Frame> {
  const bytes = await readFile(path)
  const codec = Codec.findDecoder(detectCodec(bytes))
  const decoder = new CodecContext()
  decoder.allocContext3(codec)
  decoder.threadCount = 1
  setCodecOptions(decoder, { max_pixels: `${maxThumbnailPixels}` })
  requireSuccess(decoder.open2Sync(codec, null), 'open picture decoder')
  const packet = new Packet()
  packet.alloc()
  packet.data = bytes
  const frame = new Frame()
  frame.alloc()
  decoder.sendPacketSync(packet)
  decoder.sendPacketSync(null)
  if (decoder.receiveFrameSync(frame) < 0) throw new UnplayableSourceError(unreadable)
  packet.free()
  decoder.freeContext()
  if (Math.max(frame.width, frame.height) > maxThumbnailSide) {
    frame.free()
    throw new UnplayableSourceError(tooLarge)
  }
  return frame
}

function detectCodec(bytes: Buffer): AVCodecID {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) {
    return AV_CODEC_ID_PNG
  }
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return AV_CODEC_ID_MJPEG
  throw new UnplayableSourceError('This file is not a PNG or JPEG picture.')
}

/** JPEG would show the colour under transparency. */
function opaqueFilters(frame: Frame): string[] {
  const name = avGetPixFmtName(frame.format as AVPixelFormat) ?? ''
  const transparent = /^(pal8|ya|rgba|argb|bgra|abgr|gbrap)/.test(name)
  return transparent
    ? ['format=gbrap', 'premultiply=inplace=1', 'format=gbrp', `scale=${jpegScaling}`]
    : []
}

/** Drops EXIF and ICC. */
const pngPixels = ['sidedata=mode=delete', 'format=rgba']

async function writePng(path: string, frame: Frame): Promise<void> {
  const bytes = encodeStill(FF_ENCODER_PNG, frame)
  if (!bytes) throw new Error('This build of FFmpeg cannot write PNG.')
  await writeFile(path, bytes)
}
