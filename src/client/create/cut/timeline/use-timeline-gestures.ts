import { type PointerEvent, useCallback, useRef } from 'react'
import type { TimeWindow } from '#client/kit/timeline/time-window.ts'
import { panView, zoomView } from './timeline-view.ts'

/** Per pixel: a touchpad's pinch arrives as Ctrl and wheel. */
const WHEEL_ZOOM = 1.01
/** Limits a mouse wheel's notch. */
const WHEEL_PIXELS_MAX = 25

type Options = {
  view: TimeWindow
  width: number
  durationSeconds: number
  onView: (view: TimeWindow) => void
  onSeek: (seconds: number) => void
}

/**
 * One pointer moves the playhead; two pointers, or Ctrl or ⌘ with the wheel, zoom; a horizontal
 * wheel pans, a vertical one scrolls the page.
 */
export function useTimelineGestures(options: Options) {
  const now = useRef(options)
  now.current = options
  const pointers = useRef(new Map<number, number>())

  const secondsAt = (clientX: number, element: Element) => {
    const { view, durationSeconds } = now.current
    // `width` is set a moment later.
    const { left, width } = element.getBoundingClientRect()
    const x = clientX - left
    const seconds = view.fromSeconds + (x / width) * (view.toSeconds - view.fromSeconds)
    return Math.max(0, Math.min(durationSeconds, seconds))
  }

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, event.clientX)
    if (pointers.current.size === 1)
      now.current.onSeek(secondsAt(event.clientX, event.currentTarget))
  }

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = pointers.current.get(event.pointerId)
    if (before === undefined) return
    const others = [...pointers.current].filter(([id]) => id !== event.pointerId)
    pointers.current.set(event.pointerId, event.clientX)
    const [other] = others
    if (!other) {
      now.current.onSeek(secondsAt(event.clientX, event.currentTarget))
      return
    }
    const [, otherX] = other
    const distance = Math.max(8, Math.abs(event.clientX - otherX))
    const factor = Math.max(8, Math.abs(before - otherX)) / distance
    const { view, durationSeconds, onView } = now.current
    const atSeconds = secondsAt((event.clientX + otherX) / 2, event.currentTarget)
    onView(zoomView(view, { factor, atSeconds, durationSeconds }))
  }

  const onPointerEnd = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId)
  }

  // React's wheel listeners are passive, and the page would scroll or zoom too.
  const listen = useCallback((element: HTMLElement) => {
    const onWheel = (event: WheelEvent) => {
      const zooms = event.ctrlKey || event.metaKey
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (!zooms && !isSideways) return
      event.preventDefault()
      const { view, width, durationSeconds, onView } = now.current
      if (!zooms) {
        const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX
        const bySeconds = (sideways / width) * (view.toSeconds - view.fromSeconds)
        onView(panView(view, { bySeconds, durationSeconds }))
        return
      }
      const pixels = Math.max(-WHEEL_PIXELS_MAX, Math.min(WHEEL_PIXELS_MAX, event.deltaY))
      const factor = WHEEL_ZOOM ** pixels
      const x = event.clientX - element.getBoundingClientRect().left
      const atSeconds = view.fromSeconds + (x / width) * (view.toSeconds - view.fromSeconds)
      onView(zoomView(view, { factor, atSeconds, durationSeconds }))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [])

  return {
    listen,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: onPointerEnd,
      onPointerCancel: onPointerEnd,
    },
  }
}
