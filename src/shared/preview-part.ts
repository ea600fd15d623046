import type { Tonight } from './schemas/home.schemas.ts'

/** Limits for what the viewer has not asked for. */
export const PREVIEW_BYTES_MAX = 4_000_000
export const PREVIEW_BYTES_MAX_ON_PHONES = 1_500_000
/** A shorter loop is not shown. */
const SHORTEST_SECONDS = 3
/** The beginning of a file may need more bytes than its average second. */
const CAUTION = 0.8

/** Returns where the preview ends if only `limit` bytes are loaded; null if too little of it plays. */
export function endOfPart(file: NonNullable<Tonight['file']>, limit: number): number | null {
  const { startSeconds, endSeconds, fileSeconds, bytes } = file
  if (bytes <= limit) return endSeconds
  const end = Math.min(endSeconds, ((fileSeconds * limit) / bytes) * CAUTION)
  return end - startSeconds < SHORTEST_SECONDS ? null : end
}
