import { nameSoundTracks } from '#shared/sound-tracks.ts'
import type { SoundTrack } from './player-state.ts'

type Further = { number: number; url: string; language: string | null }

/** The sound in the video and the tracks beside it; none when there is nothing to choose from. */
export function listSoundTracks(
  ownLanguage: string | null,
  others: readonly Further[],
): SoundTrack[] {
  if (others.length === 0) return []
  const labels = nameSoundTracks([ownLanguage, ...others.map(({ language }) => language)])
  return [null, ...others.map(({ url }) => url)].map((url, index) => ({
    url,
    label: labels[index] ?? `Track ${index + 1}`,
  }))
}
