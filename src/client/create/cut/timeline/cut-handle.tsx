import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { formatTenths } from '#shared/text/format.ts'
import classes from './cut-timeline.module.css'

type CutHandleProps = {
  label: string
  seconds: number
  /** Limits. */
  fromSeconds: number
  toSeconds: number
  /** Pixels from the left. */
  x: number
  secondsPerPixel: number
  frameSeconds: number
  /** @param drag id shared by one drag */
  onMove: (toSeconds: number, drag?: string) => void
}

let drags = 0

/** Boundary, moved by pointer and arrow keys. */
export function CutHandle(props: CutHandleProps) {
  const { label, seconds, fromSeconds, toSeconds, x, secondsPerPixel, frameSeconds, onMove } = props
  const held = useRef<{ drag: string; startX: number; startSeconds: number }>(undefined)
  const grab = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drags += 1
    held.current = { drag: `drag ${drags}`, startX: event.clientX, startSeconds: seconds }
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!held.current) return
    event.stopPropagation()
    const { startX, startSeconds } = held.current
    onMove(startSeconds + (event.clientX - startX) * secondsPerPixel, held.current.drag)
  }
  const release = () => {
    held.current = undefined
  }
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    onMove(seconds + by * (event.shiftKey ? 1 : frameSeconds))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.handle}
      style={{ transform: `translateX(${x}px)` }}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={fromSeconds}
      aria-valuemax={toSeconds}
      aria-valuenow={seconds}
      aria-valuetext={formatTenths(seconds)}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={press}
    />
  )
}
