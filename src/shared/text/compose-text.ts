/**
 * More marks than the stream-safe format allows; no script needs them. Normalisation is quadratic
 * in their number: a megabyte would block the server for minutes.
 */
const PILED_MARKS = /(\p{M}{30})\p{M}+/gu

/** NFC, with at most 30 marks per letter. */
export function composeText(text: string): string {
  return text.replaceAll(PILED_MARKS, '$1').normalize('NFC')
}
