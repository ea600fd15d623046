/**
 * Reads a text from its beginning, part by part.
 * @returns what reads the next part of a text by a sticky pattern, and stays where it is when that does not match
 */
export function startReading(text: string): (pattern: RegExp) => RegExpExecArray | null {
  let at = 0
  return (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
}
