import { composeText } from './compose-text.ts'

/** Controls other than tab and line feed, and the direction marks that disguise text. */
const UNSHOWABLE = String.raw`[[\p{Cc}--[\t\n]][\u202a-\u202e][\u2066-\u2069]]`
export const UNSHOWABLE_CHARACTER = new RegExp(UNSHOWABLE, 'v')
export const UNSHOWABLE_CHARACTERS = new RegExp(UNSHOWABLE, 'gv')

// Spaces, marks of direction, letters without a shape, and signs that are drawn as nothing: the empty Braille
// pattern, the null notehead, the filler of Khitan.
const INVISIBLE = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]*$/u

/** Trimmed, well-formed and composed, so that the same letters are the same characters; empty when nothing shows. */
export function tidyText(value: string): string {
  const text = composeText(value.toWellFormed()).trim()
  return INVISIBLE.test(text) ? '' : text
}

/** As `tidyText`, on one line, without characters that cannot be shown. */
export function tidyLine(value: string): string {
  return tidyText(value.replaceAll(UNSHOWABLE_CHARACTERS, '').replaceAll(/\s+/g, ' '))
}
