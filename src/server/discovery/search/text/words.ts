/**
 * What is a word of a text and of a query, for all engines. The words of an index are made by this module: whoever changes
 * what it makes of a text raises `WORDS_FORMAT`, and sites rebuild their indexes.
 * See docs/decisions/0050-words-of-the-search-index.md.
 */

import { foldLetters } from './fold-letters.ts'

/** The number of this way of making words; `searchState` says which one an index has. */
export const WORDS_FORMAT = 1

const LETTERS = '\\p{L}\\p{N}\\p{M}\\p{Co}'
const WORD = new RegExp(`[${LETTERS}]+`, 'gu')
/** A single one of these stands between parts of one name: AK-47, CS:GO, no_scope, S.T.A.L.K.E.R., AC/DC. */
const JOINERS = "-\\p{Pd}_:.'’/·•・"
const NAME = new RegExp(`[${LETTERS}]+(?:[${JOINERS}][${LETTERS}]+)*`, 'gu')
const SPELLED_OUT = /^\p{L}\p{M}*(?:\.\p{L}\p{M}*)+$/u
const HAS_LETTER = /[\p{L}\p{N}\p{Co}]/u
const NUMBER = /^\p{N}+$/u
/** A longer one is an address or a path rather than a name. */
const JOINED_MAX = 32
/** Scripts that are written without spaces, and Hangul, in which particles and compounds follow without one. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Mymr}'
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
const STRETCH = new RegExp(`(?:[${UNSPACED}]\\p{M}*)+|(?:(?![${UNSPACED}]).)+`, 'gu')
const CHARACTER = /\P{M}\p{M}*/gu

const SIGN = /[\p{P}\p{S}]/gu
/** Before a sign's code point: a letter that no text has, so that a sign is never taken for a word. */
const SIGN_MARK = '\ue000'

/** A word to look for, and words that contain it because they are written without the space or mark beside it. */
export type QueryWord = { word: string; joined: string[] }

/** The parts of each name of a folded text, in order. A spelled-out name such as S.T.A.L.K.E.R. is one part. */
function readNames(folded: string): string[][] {
  const names = folded.match(NAME) ?? []
  return names.flatMap((name) => {
    const parts = (name.match(WORD) ?? []).filter((part) => HAS_LETTER.test(part))
    if (parts.length === 0) return []
    return [SPELLED_OUT.test(name) ? [parts.join('')] : parts]
  })
}

/** A name without the marks between its parts: the whole, and each two parts that follow each other. */
function joinParts(parts: string[]): string[] {
  if (parts.length < 2) return []
  const pairs = parts.slice(1).map((part, before) => `${parts[before]}${part}`)
  return [...new Set([parts.join(''), ...pairs])].filter(({ length }) => length <= JOINED_MAX)
}

/**
 * A part of a name as words. Of a script without spaces these are all pairs of characters that follow each other, and in an index
 * the last character, too: so every stretch of it is found, by the beginnings of words alone.
 */
function toWords(part: string, { withLast }: { withLast: boolean }): string[] {
  if (!HAS_UNSPACED.test(part)) return [part]
  return (part.match(STRETCH) ?? []).flatMap((stretch) => {
    if (!HAS_UNSPACED.test(stretch)) return HAS_LETTER.test(stretch) ? [stretch] : []
    const characters = stretch.match(CHARACTER) ?? []
    const words = characters.map((character, at) => `${character}${characters[at + 1] ?? ''}`)
    return withLast || words.length === 1 ? words : words.slice(0, -1)
  })
}

/** The different words that the index has of a text. */
export function indexWords(text: string): string[] {
  const words = new Set<string>()
  for (const parts of readNames(foldLetters(text))) {
    for (const part of [...parts, ...joinParts(parts)]) {
      for (const word of toWords(part, { withLast: true })) words.add(word)
    }
  }
  return [...words]
}

/** The different words of a query, in order. Each must begin a word of the index, or one of the words that contain it must. */
export function queryWords(text: string): QueryWord[] {
  const found = new Map<string, Set<string>>()
  let before: string | undefined
  for (const parts of readNames(foldLetters(text))) {
    const joined = joinParts(parts)
    for (const part of parts) {
      const isPlain = !HAS_UNSPACED.test(part)
      for (const word of toWords(part, { withLast: false })) {
        const more = found.get(word) ?? new Set()
        found.set(word, more)
        if (isPlain) for (const name of joined) if (name.includes(word)) more.add(name)
      }
      if (isPlain && before !== undefined && isLong(before) && isLong(part)) {
        for (const word of [before, part]) found.get(word)?.add(`${before}${part}`)
      }
      before = isPlain ? part : undefined
    }
  }
  return [...found].map(([word, joined]) => ({ word, joined: [...joined] }))
}

/** Single letters beside each other are seldom one word. */
const isLong = (word: string) => word.length > 1 || NUMBER.test(word)

/** A name by which tags are compared: its letters and digits without anything in between. */
export function toPlainName(text: string): string {
  return (foldLetters(text).match(WORD) ?? []).join('')
}

/** Every sign of a text, such as `+` or an emoji, spelled as a word of the index; in order. */
export function spellSigns(text: string): string {
  const signs = text.match(SIGN) ?? []
  return signs.map((sign) => SIGN_MARK + toPlainSign(sign).codePointAt(0)?.toString(16)).join(' ')
}

/** Full-width signs as plain ones; a sign that stands for several characters, such as ™, stays. */
function toPlainSign(sign: string): string {
  const plain = sign.normalize('NFKC')
  return [...plain].length === 1 ? plain : sign
}
