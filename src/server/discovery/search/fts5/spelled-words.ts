/** FTS5 takes combining marks of most Asian scripts for word ends. */
const MARK = /(?=[\u0900-\u20ff])\p{M}/gu
/** Moved to the private use area, which FTS5 keeps; other modules use two code points before. */
const [FIRST_MARK, FIRST_LETTER] = [0x900, 0xe100]

/** One token of unicode61 per word. */
export function spellWords(words: string[]): string {
  return words
    .join(' ')
    .replace(MARK, (mark) => String.fromCharCode(FIRST_LETTER + mark.charCodeAt(0) - FIRST_MARK))
}
