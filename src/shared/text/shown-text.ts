import { composeText } from './compose-text.ts'

/** Controls except tab and line feed, and direction overrides. */
const UNSHOWABLE = String.raw`[[\p{Cc}--[\t\n]][\u202a-\u202e][\u2066-\u2069]]`
export const UNSHOWABLE_CHARACTER = new RegExp(UNSHOWABLE, 'v')
export const UNSHOWABLE_CHARACTERS = new RegExp(UNSHOWABLE, 'gv')

// Whitespace, format characters and signs drawn as nothing: empty Braille, null notehead, Khitan
// filler.
const INVISIBLE = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]*$/u

/** Trims and composes; empty when nothing is visible. */
export function tidyText(value: string): string {
  const text = composeText(value.toWellFormed()).trim()
  return INVISIBLE.test(text) ? '' : text
}

export function tidyLine(value: string): string {
  return tidyText(value.replaceAll(UNSHOWABLE_CHARACTERS, '').replaceAll(/\s+/g, ' '))
}
