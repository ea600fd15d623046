import { cutText } from './cut-text.ts'

/** Characters that other sites show. */

const DESCRIPTION_SHOWN = 200

/** One line: at most 197 characters and an ellipsis. */
export function cutDescription(description: string): string {
  const text = description.replace(/\s+/g, ' ').trim()
  if (text.length <= DESCRIPTION_SHOWN) return text
  return `${cutText(text, DESCRIPTION_SHOWN - 3)}...`
}
