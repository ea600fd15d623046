/** How text is split for the search index, and for what people type: both must be split alike. */

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu
const HAS_LETTER = /[\p{L}\p{N}\p{Co}]/u
const LATIN_ACCENTS = /(?<=[a-z])\p{M}+/gu
const BEYOND_ASCII = /[^ -~\s]/
const PLAIN_WORD = /[a-z0-9]+/g
const SIGN = /[\p{P}\p{S}]/gu
/** Before a sign's code point: a letter that no text has, so that a sign is never taken for a word. */
const SIGN_MARK = '\ue000'

/** Text as a filter box compares it: without case and accents. SQLite's own lower() knows only a to z. */
export function foldText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/**
 * The different words of a text as the index has them: in lower case, Latin letters without accents.
 * Marks of other scripts belong to their letters.
 */
export function splitWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return [...new Set(text.toLowerCase().match(PLAIN_WORD))]
  const lower = text.normalize('NFC').toLowerCase()
  const folded = lower.normalize('NFD').replace(LATIN_ACCENTS, '').normalize('NFC')
  return [...new Set(folded.match(WORD)?.filter((word) => HAS_LETTER.test(word)))]
}

/** Every sign of a text, such as `+` or an emoji, spelled as a word of the index; in order. */
export function spellSigns(text: string): string {
  const signs = text.match(SIGN) ?? []
  return signs.map((sign) => SIGN_MARK + sign.codePointAt(0)?.toString(16)).join(' ')
}
