import { isVoiceTrack, MIX_NAME, type NamedSound, nameSoundTracks } from '#shared/sound-tracks.ts'
import type { SoundTrack } from '../core/player-state.ts'

/** Empty without a choice. Begins with the owner's mix, if there is one. */
export function listSoundTracks(
  ownLanguage: string | null,
  others: readonly { number: number; language: string | null }[],
  names: readonly (Omit<NamedSound, 'language'> & { number: number })[] = [],
): SoundTrack[] {
  const [first] = others
  if (!first) return []
  const hasMix = first.number === 1
  const recorded = [...(hasMix ? [] : [{ number: 1, language: ownLanguage }]), ...others].map(
    ({ number, language }) => ({
      ...names.find((each) => each.number === number),
      ...{ number, language },
    }),
  )
  const labels = nameSoundTracks(recorded)
  const tracks = recorded.map((track, index) => ({
    label: labels[index] ?? `Track ${track.number}`,
    number: track.number,
    isVoice: isVoiceTrack(track),
  }))
  return hasMix ? [{ label: MIX_NAME, number: 0, isVoice: false }, ...tracks] : tracks
}
