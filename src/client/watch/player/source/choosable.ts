import type { PlayerCore } from '../core/player-core.ts'
import { choosesSoundItself, picksStream } from './hls-support.ts'
import type { Quality } from './source.ts'

/** This browser can play the stream. */
export function canStream({ options, hasStreamFailed }: PlayerCore): boolean {
  return options.hlsUrl !== null && !hasStreamFailed && picksStream()
}

/** While the file plays. */
export function choosableQualities(core: PlayerCore): readonly Quality[] {
  return canStream(core) ? core.surroundings.qualities : []
}

/** The file has the first track only. */
export function canChooseSound(core: PlayerCore): boolean {
  if (core.store.get().source === 'native-hls') return choosesSoundItself()
  return canStream(core)
}
