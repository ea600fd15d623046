import { useMemo } from 'react'
import type { Playback } from '#shared/schemas/video.schemas.ts'
import { toCaptionTracks } from './core/caption-tracks.ts'
import { toQualities } from './source/qualities.ts'
import { listSoundTracks } from './source/sound-tracks.ts'

type Offered = Pick<
  Playback,
  'renditions' | 'soundLanguage' | 'soundTracks' | 'soundNames' | 'captions' | 'loudnessLufs'
> &
  Partial<Pick<Playback, 'soundMix'>>

/** Empty until known. */
export function useOffers(playback: Offered | undefined) {
  return useMemo(() => {
    if (!playback)
      return { qualities: [], soundTracks: [], soundMix: null, captions: [], loudnessLufs: null }
    const { renditions, soundLanguage, soundTracks, soundNames, captions, loudnessLufs } = playback
    return {
      qualities: toQualities(renditions),
      soundTracks: listSoundTracks(soundLanguage, soundTracks, soundNames),
      soundMix: playback.soundMix ?? null,
      captions: toCaptionTracks(captions),
      loudnessLufs,
    }
  }, [playback])
}
