/** A hue, 0 to 359 degrees, that always belongs to the same name. */
export function hueOf(name: string): number {
  let hash = 2166136261
  for (const character of name) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  }
  return (hash >>> 0) % 360
}
