import type { Captions } from '#shared/schemas/caption.schemas.ts'
import type { CaptionTrack } from './player-state.ts'

export function toCaptionTracks(captions: readonly Captions[]): CaptionTrack[] {
  return captions.map(({ url, language, label }) => ({ src: url, language, label }))
}
