import { rememberedPlayer } from '../../watch/player/core/player-memory.ts'

/** Whether a video plays when its page is opened: after a click, or by choice where stillness is not asked for. */
export function playsAtOnce(): boolean {
  if (navigator.userActivation?.hasBeenActive === true) return true
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  return rememberedPlayer().startsItself && !isCalm
}
