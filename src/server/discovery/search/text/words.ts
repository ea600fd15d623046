/**
 * The words of all engines. Any change of the result raises `WORDS_FORMAT`, so that sites reindex.
 * See docs/decisions/0050-words-of-the-search-index.md.
 */

import { foldLetters } from './fold-letters.ts'

export const WORDS_FORMAT = 1

const LETTERS = '\\p{L}\\p{N}\\p{M}\\p{Co}'
const WORD = new RegExp(`[${LETTERS}]+`, 'gu')
/** AK-47, CS:GO, no_scope, S.T.A.L.K.E.R., AC/DC. */
const JOINERS = "-\\p{Pd}_:.'’/·•・"
const NAME = new RegExp(`[${LETTERS}]+(?:[${JOINERS}][${LETTERS}]+)*`, 'gu')
const SPELLED_OUT = /^\p{L}\p{M}*(?:\.\p{L}\p{M}*)+$/u
const HAS_LETTER = /[\p{L}\p{N}\p{Co}]/u
const NUMBER = /^\p{N}+$/u
/** Longer ones are addresses or paths. */
const JOINED_MAX = 32
/** Scripts without spaces, and Hangul with its particles. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Mymr}'
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
const RUN = new RegExp(`(?:[${UNSPACED}]\\p{M}*)+|(?:(?![${UNSPACED}]).)+`, 'gu')
const CHARACTER = /\P{M}\p{M}*/gu

const SIGN = /[\p{P}\p{S}]/gu
/** Marks a sign; no text contains it. */
const SIGN_MARK = '\ue000'

/** `joined` are words that contain it, without the separator. */
export type QueryWord = { word: string; joined: string[] }

/** S.T.A.L.K.E.R. is one part. */
function readNames(folded: string): string[][] {
  const names = folded.match(NAME) ?? []
  return names.flatMap((name) => {
    const parts = (name.match(WORD) ?? []).filter((part) => HAS_LETTER.test(part))
    if (parts.length === 0) return []
    return [SPELLED_OUT.test(name) ? [parts.join('')] : parts]
  })
}

function joinParts(parts: string[]): string[] {
  if (parts.length < 2) return []
  const pairs = parts.slice(1).map((part, before) => `${parts[before]}${part}`)
  return [...new Set([parts.join(''), ...pairs])].filter(({ length }) => length <= JOINED_MAX)
}

/**
 * Scripts without spaces become adjacent pairs, in an index also the last character: prefix matches
 * find every substring.
 */
function toWords(part: string, { withLast }: { withLast: boolean }): string[] {
  if (!HAS_UNSPACED.test(part)) return [part]
  return (part.match(RUN) ?? []).flatMap((run) => {
    if (!HAS_UNSPACED.test(run)) return HAS_LETTER.test(run) ? [run] : []
    const characters = run.match(CHARACTER) ?? []
    const words = characters.map((character, at) => `${character}${characters[at + 1] ?? ''}`)
    return withLast || words.length === 1 ? words : words.slice(0, -1)
  })
}

export function indexWords(text: string): string[] {
  const words = new Set<string>()
  for (const parts of readNames(foldLetters(text))) {
    for (const part of [...parts, ...joinParts(parts)]) {
      for (const word of toWords(part, { withLast: true })) words.add(word)
    }
  }
  return [...words]
}

/** In order. Each, or one of its `joined`, must be a prefix of an indexed word. */
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

/** Adjacent single letters are seldom a word. */
const isLong = (word: string) => word.length > 1 || NUMBER.test(word)

/** Letters and digits only. */
export function toPlainName(text: string): string {
  return (foldLetters(text).match(WORD) ?? []).join('')
}

/** Encodes signs, such as `+` or emoji, as words of the index. */
export function spellSigns(text: string): string {
  const signs = text.match(SIGN) ?? []
  return signs.map((sign) => SIGN_MARK + toPlainSign(sign).codePointAt(0)?.toString(16)).join(' ')
}

/** Folds full width; keeps what expands, such as ™. */
function toPlainSign(sign: string): string {
  const plain = sign.normalize('NFKC')
  return [...plain].length === 1 ? plain : sign
}
