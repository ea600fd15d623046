import { type NamedSound, nameSoundTracks } from '#shared/sound-tracks.ts'
import type { SoundTrack } from '../core/player-state.ts'

/** Empty without a choice. */
export function listSoundTracks(
  ownLanguage: string | null,
  others: readonly { language: string | null }[],
  names: readonly (Omit<NamedSound, 'language'> & { number: number })[] = [],
): SoundTrack[] {
  if (others.length === 0) return []
  const languages = [ownLanguage, ...others.map(({ language }) => language)]
  const labels = nameSoundTracks(
    languages.map((language, index) => ({
      ...names.find(({ number }) => number === index + 1),
      language,
    })),
  )
  return labels.map((label) => ({ label }))
}
