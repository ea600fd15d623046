const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts between graphemes. @param max UTF-16 code units */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const end = characters.segment(text).containing(max)?.index ?? max
  return text.slice(0, end || max).toWellFormed()
}

/** Counts graphemes. */
export function firstCharacters(text: string, count: number): { text: string; count: number } {
  let end = 0
  let found = 0
  for (const { index, segment } of characters.segment(text)) {
    if (found === count) break
    found += 1
    end = index + segment.length
  }
  return { text: text.slice(0, end), count: found }
}
