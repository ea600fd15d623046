import { formatBytes } from '#shared/text/format.ts'

/** As `formatBytes`, but nothing is nothing. */
export function sizeText(bytes: number): string {
  return bytes === 0 ? '0' : formatBytes(bytes)
}
