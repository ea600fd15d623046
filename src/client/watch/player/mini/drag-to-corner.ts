import type { PointerEvent } from 'react'
import { PHONE_SCREEN } from '#client/platform/phone-screen.ts'
import { type MiniCorner, rememberPlayer } from '../core/player-memory.ts'

/** A shorter move is a press. */
const DRAG_PX = 8

/** Drops into the nearest corner. */
export function dragToCorner(event: PointerEvent<HTMLElement>, frame: HTMLElement): void {
  const isBar = matchMedia(PHONE_SCREEN).matches
  if (event.button !== 0 || !event.isPrimary || isBar) return
  const start = { x: event.clientX, y: event.clientY }
  const listeners = new AbortController()
  const { signal } = listeners
  let hasMoved = false

  const end = () => {
    listeners.abort()
    frame.style.translate = ''
    delete frame.dataset.dragged
  }
  const follow = ({ clientX, clientY }: globalThis.PointerEvent) => {
    const [dx, dy] = [clientX - start.x, clientY - start.y]
    hasMoved ||= Math.hypot(dx, dy) > DRAG_PX
    if (!hasMoved) return
    frame.dataset.dragged = ''
    frame.style.translate = `${dx}px ${dy}px`
  }
  const drop = () => {
    const { left, right, top, bottom } = frame.getBoundingClientRect()
    const row = top + bottom < innerHeight ? 'top' : 'bottom'
    const column = left + right < innerWidth ? 'left' : 'right'
    end()
    if (!hasMoved) return
    // Suppresses the click that follows a drag.
    const drop = (click: MouseEvent) => {
      click.preventDefault()
      click.stopPropagation()
    }
    addEventListener('click', drop, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', drop, { capture: true }))
    rememberPlayer({ miniCorner: `${row}-${column}` as MiniCorner })
  }
  addEventListener('pointermove', follow, { signal })
  addEventListener('pointerup', drop, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', (press) => press.key === 'Escape' && end(), { signal, capture: true })
}
