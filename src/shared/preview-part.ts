import type { Tonight } from './schemas/home.schemas.ts'

/** Limits for what the viewer has not asked for. */
export const PREVIEW_BYTES_MAX = 4_000_000
export const PREVIEW_BYTES_MAX_ON_PHONES = 1_500_000

/** Returns where the preview ends; null if its file is too large. Chromium stops with an error at the end of a part of a file. */
export function endOfPart(file: NonNullable<Tonight['file']>, limit: number): number | null {
  return file.bytes <= limit ? file.endSeconds : null
}
