import type { PlayerCore } from '../core/player-core.ts'
import { choosesSoundItself, picksStream } from './hls-support.ts'
import type { Quality } from './source.ts'

/** Whether the renditions can be loaded here, instead of the file. */
export function canStream({ options, hasStreamFailed }: PlayerCore): boolean {
  return options.hlsUrl !== null && !hasStreamFailed && picksStream()
}

/** What can be chosen while the file plays. */
export function choosableQualities(core: PlayerCore): readonly Quality[] {
  return canStream(core) ? core.surroundings.qualities : []
}

/** Whether another sound track can be played: the file has the first one only. */
export function canChooseSound(core: PlayerCore): boolean {
  if (core.store.get().source === 'native-hls') return choosesSoundItself()
  return canStream(core)
}
