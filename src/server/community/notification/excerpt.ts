const EXCERPT_LENGTH = 120

/** The beginning of a text, in one line. */
export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH - 1)}…` : line
}
