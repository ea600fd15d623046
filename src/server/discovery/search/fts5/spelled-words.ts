/** Signs and signs of vowels of most scripts of Asia: FTS5 takes them for the ends of words. */
const MARK = /(?=[\u0900-\u20ff])\p{M}/gu
/** From here on each gets a letter of the private use area, which FTS5 leaves as it is. Other modules use two before. */
const [FIRST_MARK, FIRST_LETTER] = [0x900, 0xe100]

/**
 * Words as the full-text tables have them: their tokenizer, unicode61, leaves each in one piece, and what begins with another word
 * still does.
 */
export function spellWords(words: string[]): string {
  return words
    .join(' ')
    .replace(MARK, (mark) => String.fromCharCode(FIRST_LETTER + mark.charCodeAt(0) - FIRST_MARK))
}
