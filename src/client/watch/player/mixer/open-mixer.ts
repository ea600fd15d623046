import type { PlayerCore } from '../core/player-core.ts'
import { canMix, numbersOf } from './can-mix.ts'
import { rememberedMix } from './mix-memory.ts'
import type { Mixer } from './mixer.ts'

const opening = new WeakMap<PlayerCore, Promise<Mixer>>()

/** One for each player; loaded when it is first used. */
export function openMixer(core: PlayerCore): Promise<Mixer> {
  const known = opening.get(core)
  if (known) return known
  const forget = () => opening.delete(core)
  const opened = import('./mixer.ts').then(({ createMixer }) => createMixer(core, forget))
  opening.set(core, opened)
  opened.catch(forget)
  return opened
}

/** Continues with what the viewer chose for this video earlier. */
export function resumeMix(core: PlayerCore): void {
  if (core.mixer || !canMix(core)) return
  if (rememberedMix(core.options.videoId, numbersOf(core))) void openMixer(core).catch(() => {})
}
