/** What a person types, as words and signs to look for. No character of it has a meaning of its own. */

import { type QueryWord, queryWords, spellSigns } from './text/words.ts'

/** Each two characters of a script without spaces are one. */
const WORDS_MAX = 20
const SIGNS_MAX = 6
const SIGN_RUN = /[\p{P}\p{S}]+/gu
/** Signs that belong to writing: beside a word they are not looked for. */
const PUNCTUATION = /^[\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}.,:;!?¡¿'"/\\#@…·•・]+$/u
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ',
  'αβγδεζηθικλμνξοπρστυφχψω',
]
/** A name and a number of it: GTA5, AK47, CS2. */
const NUMBERED = /^(\p{L}{2,})(\p{N}+)$/u
const HALF_MIN = 2
const KNOWN_HALF_MIN = 3
/** Of shorter words nearly every mistake is another word. */
const TYPO_LENGTH_MIN = 3

type ParsedQuery = {
  words: QueryWord[]
  /** Runs of signs as the index spells them. */
  signs: string[]
}

/** The words and the signs of a query, each once, at most 20 and 6. */
export function readQuery(query: string): ParsedQuery {
  const signs = query.split(/\s+/u).flatMap((chunk) => {
    const runs = chunk.match(SIGN_RUN) ?? []
    return queryWords(chunk).length > 0 ? runs.filter((run) => !PUNCTUATION.test(run)) : runs
  })
  return {
    words: queryWords(query).slice(0, WORDS_MAX),
    signs: [...new Set(signs.map(spellSigns))].slice(0, SIGNS_MAX),
  }
}

/**
 * All words one typing mistake away: a letter left out, doubled, swapped with its neighbour or
 * mistaken. About 70 for each letter of the word; none of a word of two letters.
 */
export function typoNeighbours(word: string): string[] {
  const letters = [...word]
  if (letters.length < TYPO_LENGTH_MIN) return []
  const alphabet = ALPHABETS.find((known) => letters.some((letter) => known.includes(letter)))
  const found = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [here, next] = [letters[at], letters[at + 1]]
    const [before, from] = [letters.slice(0, at).join(''), letters.slice(at).join('')]
    const after = letters.slice(at + 1).join('')
    for (const letter of alphabet ?? '') {
      found.add(before + letter + from)
      if (here !== undefined) found.add(before + letter + after)
    }
    if (letters.length > TYPO_LENGTH_MIN && here !== undefined) found.add(before + after)
    if (next !== undefined) found.add(before + next + here + letters.slice(at + 2).join(''))
  }
  found.delete(word)
  return [...found]
}

/** A word in two, where a name ends and a number begins. */
export function splitNumbered(word: string): [string, string] | undefined {
  const [, name, number] = NUMBERED.exec(word) ?? []
  return name && number ? [name, number] : undefined
}

/**
 * All ways to read a word as two that were written without the space between them. Each part is shorter than any typing mistake.
 * @param isKnown of the parts of a word that videos have, each has at least three letters: `today` is not `to` and `day`
 */
export function listSplits(word: string, { isKnown = false } = {}): [string, string][] {
  const letters = [...word]
  const min = isKnown ? KNOWN_HALF_MIN : HALF_MIN
  return Array.from({ length: Math.max(letters.length - 2 * min + 1, 0) }, (_, index) => {
    const at = index + min
    return [letters.slice(0, at).join(''), letters.slice(at).join('')]
  })
}
