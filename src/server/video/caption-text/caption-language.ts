/** The owner can set it. */
export const UNKNOWN_LANGUAGE = 'und'

let languageNames: Intl.DisplayNames | undefined

/** 'Portuguese (Brazil)', or the tag itself. */
export function nameOf(language: string): string {
  if (language === UNKNOWN_LANGUAGE) return 'Captions'
  // Lazy, because it loads the system's language data.
  languageNames ??= new Intl.DisplayNames('en', { type: 'language' })
  return languageNames.of(language) ?? language
}
