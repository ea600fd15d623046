import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FF_ENCODER_LIBWEBP } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { CARD_FRAME, CARD_WIDTHS, cardFileName } from '#shared/poster.ts'
import { encodeStill } from '../encode/encode-still.ts'
import { setCodecOptions } from '../ffmpeg-calls.ts'
import { filterOne } from '../filter-chain.ts'
import { fitInside, type Size } from '../source/picture.ts'
import { type CardsResult, type CardsTask, type MadeFile, NO_CARDS } from '../tasks/media-task.ts'
import { decodePicture } from './thumbnail.ts'

/** Dense screens hide artefacts of the widest. */
const QUALITY = { 320: 75, 640: 70, 960: 45 }
const PREVIEW = { width: 24, height: 24, quality: 40 }

/** Within 16 : 9 frames of `CARD_WIDTHS`; none without a WebP encoder. */
export async function makeCardPictures(task: Omit<CardsTask, 'kind'>): Promise<CardsResult> {
  const { sourcePath, outputFolder, name } = task
  const frame = await decodePicture(sourcePath)
  try {
    const preview = encodeWebp(frame, PREVIEW)
    if (!preview) return NO_CARDS
    const files: MadeFile[] = []
    for (const width of CARD_WIDTHS) {
      const card = { width, height: width / CARD_FRAME, quality: QUALITY[width] }
      const bytes = encodeWebp(frame, card)
      if (!bytes) return NO_CARDS
      const file = cardFileName(name, width)
      await writeFile(join(outputFolder, file), bytes)
      files.push({ name: file, kind: 'picture', bytes: bytes.length })
    }
    return { cardFile: cardFileName(name), preview: preview.toString('base64'), files }
  } finally {
    frame.free()
  }
}

/** @returns null without the encoder */
function encodeWebp(frame: Frame, { quality, ...box }: Size & { quality: number }): Buffer | null {
  const { width, height } = fitInside({ width: frame.width, height: frame.height }, box)
  const picture = filterOne(frame, [
    `scale=${width}:${height}:flags=bicubic:out_range=limited:out_color_matrix=bt601`,
    'format=yuv420p',
  ])
  const bytes = encodeStill(FF_ENCODER_LIBWEBP, picture, (encoder) =>
    setCodecOptions(encoder, { quality: `${quality}`, compression_level: '4' }),
  )
  picture.free()
  return bytes
}
