import { formatBytes } from '#shared/text/format.ts'

/** As `formatBytes`, but '0' for no bytes. */
export function sizeText(bytes: number): string {
  return bytes === 0 ? '0' : formatBytes(bytes)
}
