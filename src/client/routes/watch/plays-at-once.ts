import { rememberedPlayer } from '../../watch/player/core/player-memory.ts'

/** After a click, or by preference unless reduced motion is set. */
export function playsAtOnce(): boolean {
  if (navigator.userActivation?.hasBeenActive === true) return true
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  return rememberedPlayer().startsItself && !isCalm
}
