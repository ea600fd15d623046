/** Of this many addresses, and as many before them, it is known that they were asked for. */
const GENERATION = 1000
/** Longer ones are nobody's second question. */
const KEY_LENGTH_MAX = 300

/** Tells whether something was asked not long ago, and remembers that it was asked now. */
export function createAskedAgain() {
  let recent = new Set<string>()
  let earlier = new Set<string>()
  return (key: string): boolean => {
    if (key.length > KEY_LENGTH_MAX) return false
    if (recent.has(key) || earlier.has(key)) return true
    if (recent.size >= GENERATION) {
      earlier = recent
      recent = new Set()
    }
    recent.add(key)
    return false
  }
}
