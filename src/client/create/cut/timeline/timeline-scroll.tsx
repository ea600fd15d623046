import type { TimeWindow } from '#client/kit/timeline/time-window.ts'
import { useDrag } from '#client/kit/timeline/use-drag.ts'
import classes from './cut-timeline.module.css'
import { panView } from './timeline-view.ts'

type TimelineScrollProps = {
  view: TimeWindow
  durationSeconds: number
  onView: (view: TimeWindow) => void
}

/** Pointers only: keys move the playhead, which the view follows. */
export function TimelineScroll({ view, durationSeconds, onView }: TimelineScrollProps) {
  const length = view.toSeconds - view.fromSeconds
  const percent = (seconds: number) => `${(seconds / durationSeconds) * 100}%`
  const handlers = useDrag({
    grab: (event) => ({ x: event.clientX, view }),
    move: (held, event) => {
      const share = (event.clientX - held.x) / event.currentTarget.clientWidth
      onView(panView(held.view, { bySeconds: share * durationSeconds, durationSeconds }))
    },
  })
  return (
    <div
      className={classes.scroll}
      aria-hidden="true"
      data-whole={length >= durationSeconds || undefined}
      {...handlers}
    >
      <div
        className={classes.thumb}
        style={{ left: percent(view.fromSeconds), width: percent(length) }}
      />
    </div>
  )
}
