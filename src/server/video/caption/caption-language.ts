/** Of captions that came in a recording which does not say it; its owner can. */
export const UNKNOWN_LANGUAGE = 'und'

let languageNames: Intl.DisplayNames | undefined

/** 'Portuguese (Brazil)'; the tag itself where no name is known. */
export function nameOf(language: string): string {
  if (language === UNKNOWN_LANGUAGE) return 'Captions'
  // Made when it is needed: it loads what the system knows of languages.
  languageNames ??= new Intl.DisplayNames('en', { type: 'language' })
  return languageNames.of(language) ?? language
}
