/** @returns a reader of the next part, which does not advance on failure */
export function startReading(text: string): (pattern: RegExp) => RegExpExecArray | null {
  let at = 0
  return (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
}
