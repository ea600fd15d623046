/** In the file's clock. */
export type SourceChapter = { seconds: number; title: string | null }

const titleMax = 100

/** One line, at most 100 characters. */
export function cleanTitle(title: string | null): string | null {
  const line = (title ?? '').replace(/[\s\p{C}]+/gu, ' ').trim()
  return line === '' ? null : [...line].slice(0, titleMax).join('')
}
