import { type PointerEvent, type RefObject, useRef } from 'react'

/** Shorter ones mean nothing. */
const SWIPE_PX = 64
/** Before that it may become a tap, or go sideways. */
const START_PX = 10

type VerticalSwipe = {
  /** Follows the finger downwards, unless motion is reduced. */
  moved: RefObject<HTMLElement | null>
  onDown: () => void
  onUp?: (() => void) | undefined
}

type Finger = { id: number; x: number; y: number; isVertical: boolean | undefined }

/** Of one finger, on an element whose `touch-action` leaves vertical moves to the page. @returns its handlers */
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
