import { writeFile } from 'node:fs/promises'
import { AV_CODEC_FLAG_BITEXACT, AV_CODEC_FLAG_QSCALE, FF_ENCODER_MJPEG } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { encodeStill } from './encode-still.ts'

export const jpegBox = { width: 1280, height: 720 }

export const jpegScaling = 'flags=bicubic:out_range=full:out_color_matrix=bt601'
export const jpegPixels = 'format=yuvj420p'

/** FFmpeg's quantizer, 2 (best) to 31: some 100 kB for 1280x720. */
const quality = 4

export async function writeJpeg(path: string, frame: Frame): Promise<void> {
  frame.quality = quality * 118
  const bytes = encodeStill(FF_ENCODER_MJPEG, frame, (encoder) => {
    encoder.setFlags(AV_CODEC_FLAG_QSCALE, AV_CODEC_FLAG_BITEXACT)
    encoder.globalQuality = quality * 118
  })
  if (!bytes) throw new Error('This build of FFmpeg cannot write JPEG.')
  await writeFile(path, bytes)
}
