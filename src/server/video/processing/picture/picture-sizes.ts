import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FF_ENCODER_LIBWEBP } from 'node-av/constants'
import { encodeStill } from '../encode/encode-still.ts'
import { jpegPixels, jpegScaling, writeJpeg } from '../encode/jpeg.ts'
import { setCodecOptions } from '../ffmpeg-calls.ts'
import { filterOne } from '../filter-chain.ts'
import { fitInside } from '../source/picture.ts'
import { decodePicture } from './thumbnail.ts'

const cardBox = { width: 480, height: 480 }

const webpQuality = '80'

export async function makePictureSizes(path: string, outputFolder: string): Promise<string[]> {
  const frame = await decodePicture(path)
  const name = basename(path).replace(/\.[^.]*$/, '')
  const card = fitInside({ width: frame.width, height: frame.height }, cardBox)
  const files = [`${name}-card.jpg`]
  const small = filterOne(frame, [`scale=${card.width}:${card.height}:${jpegScaling}`, jpegPixels])
  await writeJpeg(join(outputFolder, `${name}-card.jpg`), small)
  small.free()
  for (const [file, size] of [
    [`${name}.webp`, fitInside(frame, { width: frame.width, height: frame.height })],
    [`${name}-card.webp`, card],
  ] as const) {
    const picture = filterOne(frame, [
      `scale=${size.width}:${size.height}:flags=bicubic:out_range=limited:out_color_matrix=bt601`,
      'format=yuv420p',
    ])
    const bytes = encodeStill(FF_ENCODER_LIBWEBP, picture, (encoder) =>
      setCodecOptions(encoder, { quality: webpQuality, compression_level: '4' }),
    )
    picture.free()
    if (!bytes) break
    await writeFile(join(outputFolder, file), bytes)
    files.push(file)
  }
  frame.free()
  return files
}
