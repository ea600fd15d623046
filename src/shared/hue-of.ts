/** A hue, 0 to 359 degrees, that always belongs to the same name. */
export function hueOf(name: string): number {
  let hash = 2166136261
  for (const character of name) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  }
  // Names that differ in their last letter only shall not look alike.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) % 360
}
