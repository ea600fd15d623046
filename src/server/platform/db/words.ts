const BEYOND_ASCII = /[^ -~\s]/

/** Without case and accents; SQLite's lower() is for ASCII. */
export function foldText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
