import { type PointerEvent, useRef } from 'react'
import type { TimeWindow } from '#client/kit/timeline/time-window.ts'
import classes from './cut-timeline.module.css'
import { panView } from './timeline-view.ts'

type TimelineScrollProps = {
  view: TimeWindow
  durationSeconds: number
  onView: (view: TimeWindow) => void
}

/** Pointers only: keys move the playhead, which the view follows. */
export function TimelineScroll({ view, durationSeconds, onView }: TimelineScrollProps) {
  const held = useRef<{ x: number; view: TimeWindow }>(undefined)
  const length = view.toSeconds - view.fromSeconds
  const percent = (seconds: number) => `${(seconds / durationSeconds) * 100}%`
  const grab = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = { x: event.clientX, view }
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!held.current) return
    const share = (event.clientX - held.current.x) / event.currentTarget.clientWidth
    onView(panView(held.current.view, { bySeconds: share * durationSeconds, durationSeconds }))
  }
  const release = () => {
    held.current = undefined
  }
  return (
    <div
      className={classes.scroll}
      aria-hidden="true"
      data-whole={length >= durationSeconds || undefined}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <div
        className={classes.thumb}
        style={{ left: percent(view.fromSeconds), width: percent(length) }}
      />
    </div>
  )
}
