/** A place that a recorder named, such as by its key for markers; times are the file's own. */
export type SourceChapter = { seconds: number; title: string | null }

const titleMax = 100

/** A recorder's own words as one line of at most 100 characters; null where there are none. */
export function cleanTitle(title: string | null): string | null {
  const line = (title ?? '').replace(/[\s\p{C}]+/gu, ' ').trim()
  return line === '' ? null : [...line].slice(0, titleMax).join('')
}
