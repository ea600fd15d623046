import { formatBytes } from '#shared/text/format.ts'

export const THUMBNAIL_ACCEPT = 'image/*'

/** @returns a sentence for an unusable picture */
export function thumbnailProblem(
  file: Pick<File, 'name' | 'size' | 'type'>,
  maxBytes: number,
): string | undefined {
  if (file.type !== 'image/png' && file.type !== 'image/jpeg') {
    return `“${file.name}” is not a PNG or JPG picture.`
  }
  if (file.size > maxBytes) {
    return `“${file.name}” has ${formatBytes(file.size)}; a thumbnail may have at most ${formatBytes(maxBytes)}.`
  }
}
