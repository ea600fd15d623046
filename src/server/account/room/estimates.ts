import { CLIP_FILE_BYTES_MAX } from '#shared/limits.ts'

/** Container and sound overhead. */
const LEAST_BYTES = 8 * 1024 * 1024
const BYTES_PER_SECOND = 1_200_000
const LARGEST_PIXELS = 1920 * 1080
const CLIP_PICTURE_BYTES = 256 * 1024

type Length = { seconds: number }
type Source = { source: Length & { bytes: number } }

export function estimateCut({ seconds, source }: Length & Source): number {
  return Math.ceil(source.bytes * shareOf(seconds, source)) + LEAST_BYTES
}

export function estimateMontage(input: Length & { width: number; height: number }): number {
  const share = Math.min(1, (input.width * input.height) / LARGEST_PIXELS)
  return Math.ceil(input.seconds * BYTES_PER_SECOND * share) + LEAST_BYTES
}

/** @param source length, and bytes of all its files */
export function estimateClip({ seconds, source }: Length & Source): number {
  const bytes = Math.ceil(source.bytes * shareOf(seconds, source))
  return Math.min(CLIP_FILE_BYTES_MAX, bytes) + CLIP_PICTURE_BYTES
}

const shareOf = (seconds: number, source: Length) =>
  Math.min(1, seconds / Math.max(source.seconds, 1))
