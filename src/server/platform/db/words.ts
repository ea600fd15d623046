const BEYOND_ASCII = /[^ -~\s]/

/** Text as a filter box compares it: without case and accents. SQLite's own lower() knows only a to z. */
export function foldText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
