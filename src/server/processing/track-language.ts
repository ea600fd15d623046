import type { Stream } from 'node-av/lib'

/**
 * The language of a sound track as ISO 639, where the recording tells. A language code is no secret; titles
 * are people's own words and stay behind.
 */
export function readLanguage({ metadata }: Stream): string | null {
  const language = metadata?.get('language') ?? ''
  return /^[a-z]{2,3}$/.test(language) && language !== 'und' ? language : null
}
