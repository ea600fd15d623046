/** The language of captions whose recording names none; the owner can set it. */
export const UNKNOWN_LANGUAGE = 'und'

let languageNames: Intl.DisplayNames | undefined

/** 'Portuguese (Brazil)'; the tag itself where no name is known. */
export function nameOf(language: string): string {
  if (language === UNKNOWN_LANGUAGE) return 'Captions'
  // Made on first use, because it loads the language data of the system.
  languageNames ??= new Intl.DisplayNames('en', { type: 'language' })
  return languageNames.of(language) ?? language
}
