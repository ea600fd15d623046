import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants'
import type { Source } from './open-source.ts'

const microseconds = 1_000_000

/** Goes on reading at a key frame before a time of the file's own clock; from its start where that fails. */
export function seekSource({ input }: Source, fileSeconds: number): void {
  const seek = (seconds: number) =>
    input.seekFrameSync(-1, BigInt(Math.round(seconds * microseconds)), AVSEEK_FLAG_BACKWARD)
  if (seek(fileSeconds) < 0) seek(Math.min(0, fileSeconds))
}
