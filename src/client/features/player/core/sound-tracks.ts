import type { SoundTrack } from './player-state.ts'

type Named = { number: number; url: string; language: string | null }

/**
 * Names the sound in the video and the tracks beside it by their languages, or by their numbers where that does
 * not tell them apart. None when there is nothing to choose from.
 */
export function nameSoundTracks(
  ownLanguage: string | null,
  others: readonly Named[],
): SoundTrack[] {
  if (others.length === 0) return []
  const tracks = [{ number: 1, url: null, language: ownLanguage }, ...others]
  const names = tracks.map(({ language }) => languageName(language))
  return tracks.map(({ url, number }, index) => {
    const name = names[index]
    const isAlone = names.filter((each) => each === name).length === 1
    if (!name) return { url, label: number === 1 ? 'Default' : `Track ${number}` }
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
