import { TOUCH_ALONE } from './use-has-keys.ts'

type Turned = {
  mayFill: () => boolean
  frame: () => Element | undefined
}

/**
 * Enters full screen when a phone turns sideways, and leaves it when turned back. Browsers allow full screen without a
 * press only in orientation events; iPhones never.
 * @returns a stop function, which leaves it too
 */
export function fillWhenTurned({ mayFill, frame }: Turned): () => void {
  const orientation: ScreenOrientation | undefined = screen.orientation
  // Safari before 16.4 has none.
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
      // The browser refused, or it was left meanwhile.
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
