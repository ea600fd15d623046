import { nameSoundTracks } from '#shared/sound-tracks.ts'
import type { SoundTrack } from '../core/player-state.ts'

/** The names of the first sound and of the others; none when there is nothing to choose from. */
export function listSoundTracks(
  ownLanguage: string | null,
  others: readonly { language: string | null }[],
): SoundTrack[] {
  if (others.length === 0) return []
  const labels = nameSoundTracks([ownLanguage, ...others.map(({ language }) => language)])
  return labels.map((label) => ({ label }))
}
