/** Other tags can be typed. */
export const LANGUAGES = [
  'ar',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'es-419',
  'fi',
  'fr',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-Hans',
  'zh-Hant',
]

/** 'German' for 'de'; invalid tags stay. */
export function languageName(tag: string): string {
  if (tag.trim() === 'und') return 'Unknown language'
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag.trim()) ?? tag
  } catch {
    return tag
  }
}
