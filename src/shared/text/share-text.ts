import { cutText } from './cut-text.ts'

/** How long a text may be that other sites and apps show beside a link. */

const DESCRIPTION_SHOWN = 200

/** A description on one line of at most 200 characters: 197 and an ellipsis. */
export function cutDescription(description: string): string {
  const text = description.replace(/\s+/g, ' ').trim()
  if (text.length <= DESCRIPTION_SHOWN) return text
  return `${cutText(text, DESCRIPTION_SHOWN - 3)}...`
}
