/** How words a person types become a full-text query. No character of the query has a meaning of its own. */

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu
const HAS_LETTER = /[\p{L}\p{N}\p{Co}]/u
const WORDS_MAX = 12
const LATIN_ACCENTS = /(?<=[a-z])\p{M}+/gu
const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz0123456789', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя']

/**
 * The words of a query as the index has them: in lower case, Latin letters without accents. Marks of
 * other scripts belong to their letters.
 */
export function splitWords(query: string): string[] {
  const lower = query.normalize('NFC').toLowerCase()
  const folded = lower.normalize('NFD').replace(LATIN_ACCENTS, '').normalize('NFC')
  const words = (folded.match(WORD) ?? []).filter((word) => HAS_LETTER.test(word))
  return [...new Set(words)].slice(0, WORDS_MAX)
}

/** A query for videos that have, for each word, one that begins with any of its alternatives. */
export function matchExpression(alternatives: string[][], columns: string): string {
  const words = alternatives.map((words) => `(${words.map((word) => `"${word}"*`).join(' OR ')})`)
  return `{${columns}} : (${words.join(' AND ')})`
}

/**
 * All words one typing mistake away: a letter left out, doubled, swapped with its neighbour or
 * mistaken. About 70 for each letter of the word.
 */
export function typoNeighbours(word: string): string[] {
  const letters = [...word]
  const alphabet = ALPHABETS.find((known) => letters.some((letter) => known.includes(letter)))
  const found = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, here, after] = [letters.slice(0, at), letters[at], letters.slice(at + 1)]
    for (const letter of alphabet ?? '') {
      found.add([...before, letter, ...letters.slice(at)].join(''))
      if (here !== undefined) found.add([...before, letter, ...after].join(''))
    }
    if (here === undefined) continue
    found.add([...before, ...after].join(''))
    const [next, ...rest] = after
    if (next !== undefined) found.add([...before, next, here, ...rest].join(''))
  }
  found.delete(word)
  found.delete('')
  return [...found]
}
