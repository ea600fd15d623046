import { TOUCH_ALONE } from './use-has-keys.ts'

type Turned = {
  mayFill: () => boolean
  frame: () => Element | undefined
}

/**
 * Enters full screen when a phone is turned sideways, and leaves it when turned back. Browsers
 * allow this without a press only in orientation events; iPhones never allow it.
 * @returns a function that stops this and leaves full screen if it was entered by turning
 */
export function fillWhenTurned({ mayFill, frame }: Turned): () => void {
  const orientation: ScreenOrientation | undefined = screen.orientation
  // Safari before 16.4 has no `screen.orientation`.
  if (!orientation || !matchMedia(TOUCH_ALONE).matches) return () => {}
  const over = new AbortController()
  let isByTurn = false
  const leave = () => document.exitFullscreen().catch(() => undefined)
  const turn = async () => {
    const isSideways = orientation.type.startsWith('landscape')
    try {
      if (isSideways && !document.fullscreenElement && mayFill()) {
        await frame()?.requestFullscreen?.()
        isByTurn = true
        if (over.signal.aborted) await leave()
      } else if (!isSideways && isByTurn) await leave()
    } catch {
      // The browser refused, or full screen was left in the meantime.
    }
  }
  const forget = () => {
    if (!document.fullscreenElement) isByTurn = false
  }
  orientation.addEventListener('change', () => void turn(), { signal: over.signal })
  document.addEventListener('fullscreenchange', forget, { signal: over.signal })
  return () => {
    over.abort()
    if (isByTurn) void leave()
  }
}
