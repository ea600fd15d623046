import type { KeyboardEvent } from 'react'
import { useDrag } from '#client/kit/timeline/use-drag.ts'
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
  const handlers = useDrag({
    grab: (event) => {
      event.stopPropagation()
      drags += 1
      return { drag: `drag ${drags}`, startX: event.clientX, startSeconds: seconds }
    },
    move: ({ drag, startX, startSeconds }, event) => {
      event.stopPropagation()
      onMove(startSeconds + (event.clientX - startX) * secondsPerPixel, drag)
    },
  })
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
      {...handlers}
      onKeyDown={press}
    />
  )
}
