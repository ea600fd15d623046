import { composeText } from './compose-text.ts'

/** Controls except tab and line feed, and direction overrides. */
const UNSHOWABLE = String.raw`[[\p{Cc}--[\t\n]][\u202a-\u202e][\u2066-\u2069]]`
export const UNSHOWABLE_CHARACTER = new RegExp(UNSHOWABLE, 'v')
export const UNSHOWABLE_CHARACTERS = new RegExp(UNSHOWABLE, 'gv')

// Whitespace, format characters and signs drawn as nothing: empty Braille, null notehead, Khitan
// filler.
const INVISIBLE = String.raw`\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}`
const BLANK = new RegExp(`^[${INVISIBLE}]*$`, 'u')
/** Adds private-use characters, noncharacters and marks without a letter. */
const NAMELESS = new RegExp(`^[${INVISIBLE}\\p{Co}\\p{M}\\p{Noncharacter_Code_Point}]*$`, 'u')

/** Trims and composes; empty when nothing is readable. */
export function tidyText(value: string): string {
  const text = compose(value)
  return NAMELESS.test(text) ? '' : text
}

/** Also keeps a single mark, which can be searched for; empty when nothing is visible. */
export function tidyQuery(value: string): string {
  const text = compose(value)
  return BLANK.test(text) ? '' : text
}

const compose = (value: string) => composeText(value.toWellFormed()).trim()

export function tidyLine(value: string): string {
  return tidyText(value.replaceAll(UNSHOWABLE_CHARACTERS, '').replaceAll(/\s+/g, ' '))
}
