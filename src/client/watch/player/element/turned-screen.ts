import { TOUCH_ALONE } from '#client/platform/use-has-keys.ts'
import { isInSight } from '../core/may-continue.ts'
import type { PlayerCore } from '../core/player-core.ts'

/**
 * Enters full screen when a phone turns sideways during playback, and leaves it when turned back. Browsers allow
 * full screen without a press only in orientation events; iPhones never.
 * @returns a stop function
 */
export function followTurns(core: PlayerCore, video: HTMLVideoElement): () => void {
  const orientation: ScreenOrientation | undefined = screen.orientation
  // Safari before 16.4 has none.
  if (!orientation || !matchMedia(TOUCH_ALONE).matches) return () => {}
  const over = new AbortController()
  let isByTurn = false
  const mayFill = () =>
    !video.paused &&
    !document.fullscreenElement &&
    !document.pictureInPictureElement &&
    core.frame?.dataset.mini === undefined &&
    isInSight(core.frame)
  const turn = async () => {
    const isSideways = orientation.type.startsWith('landscape')
    try {
      if (isSideways && mayFill()) {
        await core.frame?.requestFullscreen?.()
        isByTurn = true
      } else if (!isSideways && isByTurn) await document.exitFullscreen()
    } catch {
      // The browser refused, or it was left meanwhile.
    }
  }
  const forget = () => {
    if (!document.fullscreenElement) isByTurn = false
  }
  orientation.addEventListener('change', () => void turn(), { signal: over.signal })
  document.addEventListener('fullscreenchange', forget, { signal: over.signal })
  return () => over.abort()
}
