import { cutText } from '#shared/text/cut-text.ts'

const EXCERPT_LENGTH = 120

/** One line. */
export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > EXCERPT_LENGTH ? `${cutText(line, EXCERPT_LENGTH - 1)}…` : line
}
