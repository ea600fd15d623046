/**
 * Names a video's sound tracks, in their order, by their languages (ISO 639), or by their numbers where that
 * does not tell them apart. No two names are the same.
 */
export function nameSoundTracks(languages: readonly (string | null)[]): string[] {
  const names = languages.map(languageName)
  return names.map((name, index) => {
    const isAlone = names.filter((each) => each === name).length === 1
    if (!name) return index === 0 ? 'Default' : `Track ${index + 1}`
    return isAlone ? name : `${name} (track ${index + 1})`
  })
}

/** The shortest tag of a language as BCP 47 has it, such as `de` for the code `ger`; null for none. */
export function languageTag(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null
  } catch {
    return null
  }
}

function languageName(code: string | null): string | undefined {
  if (!code || code === 'und') return undefined
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code)
  } catch {
    return code
  }
}
