/**
 * Marks on one letter beyond what Unicode's stream-safe format allows; no script has so many. Composing puts
 * them in order, which takes the square of their number: a megabyte of them would hold the server for minutes.
 */
const PILED_MARKS = /(\p{M}{30})\p{M}+/gu

/** Text in which the same letters are the same characters (NFC); marks piled up on a letter end at the 30th. */
export function composeText(text: string): string {
  return text.replaceAll(PILED_MARKS, '$1').normalize('NFC')
}
