import { MIX_TRACKS_MAX } from '#shared/sound-mix.ts'
import type { PlayerCore } from '../core/player-core.ts'

/** The recorded tracks that can be mixed. */
export function mixableTracks({ surroundings }: PlayerCore) {
  return surroundings.soundTracks.filter(({ number }) => number > 0).slice(0, MIX_TRACKS_MAX)
}

export const numbersOf = (core: PlayerCore) => mixableTracks(core).map(({ number }) => number)

/** A watch room has one sound for all, and other sites' frames forget what was chosen. */
export function canMix(core: PlayerCore): boolean {
  const { hlsUrl, isEmbedded } = core.options
  return mixableTracks(core).length > 1 && hlsUrl !== null && !isEmbedded && !core.steer
}
