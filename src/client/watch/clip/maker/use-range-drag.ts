import { type PointerEvent, useEffect, useRef } from 'react'
import { lengthOf, secondsAtX, shareAt, type TimeWindow } from '#client/kit/timeline/time-window.ts'
import { useDrag } from '#client/kit/timeline/use-drag.ts'
import { CLIP_SECONDS_MAX } from '#shared/limits.ts'
import { type ClipRange, growTowards, type RangeEdge } from './choose-range.ts'

export type RangePart = RangeEdge | 'all'

type Held = {
  part: RangePart
  /** Seconds between pointer and edge. */
  offset: number
  strip: Element
  clientX: number
}

type DragOptions = {
  window: TimeWindow
  range: ClipRange
  durationSeconds: number
  onGrab: () => void
  onMove: (part: RangePart, toSeconds: number) => void
  onWindow: (window: TimeWindow) => void
  onRelease: (part: RangePart) => void
}

/** Limit while an end is held against the edge. */
const WINDOW_SECONDS_MAX = CLIP_SECONDS_MAX * 1.25

/** Pointer handlers for the strip. */
export function useRangeDrag(options: DragOptions) {
  const now = useRef(options)
  const held = useRef<Held>(undefined)
  const growing = useRef(0)
  useEffect(() => {
    now.current = options
  })
  useEffect(() => () => cancelAnimationFrame(growing.current), [])

  const follow = () => {
    if (!held.current) return
    const { part, offset, strip, clientX } = held.current
    now.current.onMove(part, secondsAtX(now.current.window, strip, clientX) - offset)
  }
  const grow = () => {
    if (!held.current) return
    const { window, durationSeconds, onWindow } = now.current
    const { strip, clientX } = held.current
    const share = shareAt(window, secondsAtX(window, strip, clientX))
    const larger = growTowards(window, share, durationSeconds)
    if (larger !== window && lengthOf(larger) <= WINDOW_SECONDS_MAX) {
      onWindow(larger)
      follow()
    }
    growing.current = requestAnimationFrame(grow)
  }
  const grab = (event: PointerEvent<HTMLElement>) => {
    const strip = event.currentTarget
    const { window, range } = now.current
    const at = secondsAtX(window, strip, event.clientX)
    const part = partAt(event.target, at, range)
    // Keeps the browser from moving the focus.
    event.preventDefault()
    const edge = part === 'all' ? 'start' : part
    const handle = strip.querySelector<HTMLElement>(`[data-edge="${edge}"]`)
    handle?.focus({ preventScroll: true })
    const isOutside = at < range.start || at > range.end
    const isJump = isOutside && !isHandle(event.target)
    const taken = {
      ...{ part, strip, clientX: event.clientX },
      offset: isJump ? 0 : at - range[edge],
    }
    held.current = taken
    now.current.onGrab()
    follow()
    growing.current = requestAnimationFrame(grow)
    return taken
  }
  return useDrag<Held>({
    grab,
    move: (taken, { clientX }) => {
      taken.clientX = clientX
      follow()
    },
    release: ({ part }) => {
      held.current = undefined
      cancelAnimationFrame(growing.current)
      now.current.onRelease(part)
    },
  })
}

const handleOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-edge]') : null
const isHandle = (target: EventTarget) => handleOf(target) !== null

/** A handle, the range, or outside it the nearer end. */
function partAt(target: EventTarget, at: number, { start, end }: ClipRange): RangePart {
  const edge = handleOf(target)?.dataset.edge
  if (edge === 'start' || edge === 'end') return edge
  if (at < start) return 'start'
  return at > end ? 'end' : 'all'
}
