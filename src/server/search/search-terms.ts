/** How words a person types become a full-text query. No character of the query has a meaning of its own. */

const WORD = /[\p{L}\p{N}\p{Co}]+/gu
const WORDS_MAX = 12
const MARKS = /\p{M}/gu
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The words of a query as the index splits them: letters and digits, folded, without accents. */
export function splitWords(query: string): string[] {
  const folded = query.normalize('NFD').replace(MARKS, '').toLowerCase()
  return [...new Set(folded.match(WORD) ?? [])].slice(0, WORDS_MAX)
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
  const found = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, here, after] = [letters.slice(0, at), letters[at], letters.slice(at + 1)]
    for (const letter of LETTERS) {
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
