import { writeFile } from 'node:fs/promises'
import { FF_ENCODER_PNG } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { encodeStill } from './encode-still.ts'

/** Filters that keep transparency and drop what the picture carries beside its pixels (EXIF, ICC). */
export const pngPixels = ['sidedata=mode=delete', 'format=rgba']

/** Writes an `rgba` frame, without any metadata. */
export async function writePng(path: string, frame: Frame): Promise<void> {
  const bytes = encodeStill(FF_ENCODER_PNG, frame)
  if (!bytes) throw new Error('This build of FFmpeg cannot write PNG.')
  await writeFile(path, bytes)
}
