import { CLIP_FILE_BYTES_MAX } from '#shared/limits.ts'

/** What a file takes beside its pictures. */
const LEAST_BYTES = 8 * 1024 * 1024
/** What a second of 1080p may take at most. */
const BYTES_PER_SECOND = 1_200_000
const LARGEST_PIXELS = 1920 * 1080
/** The two pictures that come with the file of a clip. */
const CLIP_PICTURE_BYTES = 256 * 1024

type Length = { seconds: number }
type Source = { source: Length & { bytes: number } }

/** Bytes that a cut may take. @param source its length and bytes */
export function estimateCut({ seconds, source }: Length & Source): number {
  return Math.ceil(source.bytes * shareOf(seconds, source)) + LEAST_BYTES
}

/** Bytes that a montage may take. */
export function estimateMontage(input: Length & { width: number; height: number }): number {
  const share = Math.min(1, (input.width * input.height) / LARGEST_PIXELS)
  return Math.ceil(input.seconds * BYTES_PER_SECOND * share) + LEAST_BYTES
}

/** Bytes that the files of a clip may take. @param source the length of its video, and what all files of that take */
export function estimateClip({ seconds, source }: Length & Source): number {
  const bytes = Math.ceil(source.bytes * shareOf(seconds, source))
  return Math.min(CLIP_FILE_BYTES_MAX, bytes) + CLIP_PICTURE_BYTES
}

const shareOf = (seconds: number, source: Length) =>
  Math.min(1, seconds / Math.max(source.seconds, 1))
