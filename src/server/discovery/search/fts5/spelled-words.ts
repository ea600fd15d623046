/** FTS5 takes combining marks of most Asian scripts for word ends. */
const MARK = /(?=[\u0900-\u20ff])\p{M}/gu
/**
 * Maps each to the private use area, which FTS5 keeps. Other modules use two code points before it.
 */
const [FIRST_MARK, FIRST_LETTER] = [0x900, 0xe100]

/** Keeps each word one token of unicode61. */
export function spellWords(words: string[]): string {
  return words
    .join(' ')
    .replace(MARK, (mark) => String.fromCharCode(FIRST_LETTER + mark.charCodeAt(0) - FIRST_MARK))
}
