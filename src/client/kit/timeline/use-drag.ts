import { type PointerEvent, useRef } from 'react'

type DragOptions<Held> = {
  /** @returns a value that `move` and `release` receive */
  grab: (event: PointerEvent<HTMLElement>) => Held
  move: (held: Held, event: PointerEvent<HTMLElement>) => void
  release?: (held: Held) => void
}

/**
 * Handlers of an element that is dragged along a timeline with the main mouse button, a finger or a pen. The element
 * captures the pointer until release or cancellation.
 */
export function useDrag<Held>({ grab, move, release }: DragOptions<Held>) {
  const drag = useRef<{ held: Held }>(undefined)
  const end = () => {
    if (!drag.current) return
    const { held } = drag.current
    drag.current = undefined
    release?.(held)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !event.isPrimary) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { held: grab(event) }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag.current) move(drag.current.held, event)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
