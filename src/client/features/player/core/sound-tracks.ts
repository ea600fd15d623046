import type { SoundTrack } from './player-state.ts'

type Named = { number: number; url: string; language: string | null }

/** Names further sound tracks by their language, or by their number where that does not tell them apart. */
export function nameSoundTracks(tracks: readonly Named[]): SoundTrack[] {
  const names = tracks.map(({ language }) => languageName(language))
  return tracks.map(({ url, number }, index) => {
    const name = names[index]
    const isAlone = names.filter((each) => each === name).length === 1
    if (!name) return { url, label: `Track ${number}` }
    return { url, label: isAlone ? name : `${name} (track ${number})` }
  })
}

function languageName(code: string | null): string | undefined {
  if (!code || code === 'und') return undefined
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code)
  } catch {
    return code
  }
}
