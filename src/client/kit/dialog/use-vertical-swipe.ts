import { type PointerEvent, type RefObject, useRef } from 'react'

/** Shorter swipes are ignored. */
const SWIPE_PX = 64
/** A shorter movement may still become a tap or a horizontal swipe. */
const START_PX = 10

type VerticalSwipe = {
  /** The element follows the finger downwards unless the viewer prefers reduced motion. */
  moved: RefObject<HTMLElement | null>
  onDown: () => void
  onUp?: (() => void) | undefined
}

type Finger = { id: number; x: number; y: number; isVertical: boolean | undefined }

/**
 * Detects vertical swipes of one finger. The `touch-action` of the element must keep the browser
 * from scrolling vertically.
 * @returns the pointer handlers of the element
 */
export function useVerticalSwipe({ moved, onDown, onUp }: VerticalSwipe) {
  const finger = useRef<Finger>(undefined)
  const follow = (distance: number) => {
    const { current } = moved
    if (!current) return
    current.style.translate = distance > 0 ? `0 ${distance}px` : ''
  }
  const start = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') return
    if (!event.isPrimary) return end(event)
    const { pointerId: id, clientX: x, clientY: y } = event
    finger.current = { id, x, y, isVertical: undefined }
  }
  const move = (event: PointerEvent) => {
    const begun = finger.current
    if (begun?.id !== event.pointerId) return
    const [dx, dy] = [event.clientX - begun.x, event.clientY - begun.y]
    if (Math.hypot(dx, dy) < START_PX) return
    begun.isVertical ??= Math.abs(dy) > Math.abs(dx)
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (begun.isVertical && !isCalm) follow(dy)
  }
  const end = (event: PointerEvent) => {
    const begun = finger.current
    finger.current = undefined
    if (!begun) return
    follow(0)
    if (event.type !== 'pointerup' || begun.id !== event.pointerId || !begun.isVertical) return
    const distance = event.clientY - begun.y
    if (distance > SWIPE_PX) onDown()
    else if (distance < -SWIPE_PX) onUp?.()
  }
  return {
    onPointerDown: start,
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
  }
}
