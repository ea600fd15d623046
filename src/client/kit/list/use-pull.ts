import { useEffect, useRef, useState } from 'react'
import { hasOpenDialog } from '#client/platform/has-open-dialog.ts'

/** The sign moves this fraction of the distance that the finger moves. */
const RESISTANCE = 0.45
/** Lifting the finger refreshes the page if the sign has moved at least this far. */
const ENOUGH_PX = 64
const FARTHEST_PX = 88
/** A shorter movement may still go in another direction. */
const START_PX = 10
/** A pull does not start on elements that have swipes of their own or lie over the page. */
const ELSEWHERE =
  '[role="dialog"], [role="menu"], [role="listbox"], [role="slider"], input, textarea, select'

export type Pull = 'none' | 'pulling' | 'enough' | 'refreshing'

type Finger = { x: number; y: number; isPull: boolean | undefined; distance: number }

/**
 * Detects a finger that pulls the page down from its top.
 * @param onMove is called with the distance of the sign in pixels whenever it changes
 */
export function usePull(
  onRefresh: () => Promise<unknown>,
  onMove: (distance: number) => void,
): Pull {
  const [pull, setPull] = useState<Pull>('none')
  const latest = useRef({ onRefresh, onMove })
  useEffect(() => {
    latest.current = { onRefresh, onMove }
  })
  useEffect(() => {
    let finger: Finger | undefined
    let isBusy = false
    const rest = () => {
      finger = undefined
      latest.current.onMove(0)
      setPull('none')
    }
    const start = ({ touches, target }: TouchEvent) => {
      const [touch, second] = touches
      if (isBusy) return
      if (second) return rest()
      if (!touch || scrollY > 0 || !(target instanceof Element) || !mayPull(target)) return
      finger = { x: touch.clientX, y: touch.clientY, isPull: undefined, distance: 0 }
    }
    const move = ({ touches: [touch] }: TouchEvent) => {
      if (!finger || !touch) return
      const [dx, dy] = [touch.clientX - finger.x, touch.clientY - finger.y]
      if (finger.isPull === undefined && Math.hypot(dx, dy) >= START_PX) {
        finger.isPull = dy > Math.abs(dx)
      }
      if (!finger.isPull) return
      finger.distance = Math.max(0, Math.min(FARTHEST_PX, dy * RESISTANCE))
      latest.current.onMove(finger.distance)
      setPull(finger.distance >= ENOUGH_PX ? 'enough' : 'pulling')
    }
    const end = async (event: TouchEvent) => {
      const isEnough = event.type === 'touchend' && (finger?.distance ?? 0) >= ENOUGH_PX
      if (!finger) return
      finger = undefined
      if (!isEnough) return rest()
      isBusy = true
      latest.current.onMove(ENOUGH_PX)
      setPull('refreshing')
      await latest.current.onRefresh()
      isBusy = false
      if (!over.signal.aborted) rest()
    }
    const over = new AbortController()
    const options = { passive: true, signal: over.signal }
    addEventListener('touchstart', start, options)
    addEventListener('touchmove', move, options)
    addEventListener('touchend', (event) => void end(event), options)
    addEventListener('touchcancel', (event) => void end(event), options)
    return () => over.abort()
  }, [])
  return pull
}

function mayPull(target: Element): boolean {
  if (target.closest(ELSEWHERE) || hasOpenDialog()) return false
  for (let one: Element | null = target; one; one = one.parentElement) {
    if (one.scrollTop > 0) return false
  }
  return true
}
