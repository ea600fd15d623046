/** No character of a query is special. */

import { type QueryWord, queryWords, spellSigns } from './text/words.ts'

/** Pairs of characters in scripts without spaces. */
const WORDS_MAX = 20
const SIGNS_MAX = 6
const SIGN_RUN = /[\p{P}\p{S}]+/gu
/** Ignored beside a word. */
const PUNCTUATION = /^[\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}.,:;!?¡¿'"/\\#@…·•・]+$/u
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ',
  'αβγδεζηθικλμνξοπρστυφχψω',
]
/** GTA5, AK47, CS2. */
const NUMBERED = /^(\p{L}{2,})(\p{N}+)$/u
const HALF_MIN = 2
const KNOWN_HALF_MIN = 3
/** A mistake in a shorter word is mostly another word. */
const TYPO_LENGTH_MIN = 3

type ParsedQuery = {
  words: QueryWord[]
  signs: string[]
}

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
 * One letter omitted, doubled, swapped or replaced: some 70 words per letter. None for two letters.
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

export function splitNumbered(word: string): [string, string] | undefined {
  const [, name, number] = NUMBERED.exec(word) ?? []
  return name && number ? [name, number] : undefined
}

/**
 * Splits at each place; both parts are shorter than corrections.
 * @param isKnown parts then keep three letters: `today` is not `to` and `day`
 */
export function listSplits(word: string, { isKnown = false } = {}): [string, string][] {
  const letters = [...word]
  const min = isKnown ? KNOWN_HALF_MIN : HALF_MIN
  return Array.from({ length: Math.max(letters.length - 2 * min + 1, 0) }, (_, index) => {
    const at = index + min
    return [letters.slice(0, at).join(''), letters.slice(at).join('')]
  })
}
