import { shareAt, type TimeWindow } from '#client/kit/timeline/time-window.ts'
import { formatDuration, formatTenths } from '#shared/text/format.ts'
import classes from './timeline-marks.module.css'
import { ticksOf } from './timeline-view.ts'

/** Least pixels between times. */
const TICK_ROOM = 88
/** Least pixels between key frames. */
const KEY_FRAME_ROOM = 5

export type Marks = {
  keyFrames: readonly number[]
  chapters: readonly { title: string; start: number }[]
  /** Seconds. */
  moments: readonly number[]
}

type TimelineMarksProps = Marks & { view: TimeWindow; width: number }

/** Decorative ruler; player and lists have the same information. */
export function TimelineMarks({ view, width, ...marks }: TimelineMarksProps) {
  const isSeen = (seconds: number) => seconds >= view.fromSeconds && seconds <= view.toSeconds
  const left = (seconds: number) => `${shareAt(view, seconds) * 100}%`
  const leastSeconds = (TICK_ROOM / width) * (view.toSeconds - view.fromSeconds)
  const { step, times } = ticksOf(view, leastSeconds)
  const keyFrames = marks.keyFrames.filter(isSeen)
  return (
    <div className={classes.root} aria-hidden="true">
      {times.map((time) => (
        <span key={time} className={classes.tick} style={{ left: left(time) }}>
          {step < 1 ? formatTenths(time) : formatDuration(time + 1e-3)}
        </span>
      ))}
      {marks.chapters.map(({ start, title }) =>
        start > 0 && isSeen(start) ? (
          <span
            key={start}
            className={classes.chapter}
            style={{ left: left(start) }}
            title={title}
          />
        ) : null,
      )}
      {marks.moments.filter(isSeen).map((time) => (
        <span key={time} className={classes.moment} style={{ left: left(time) }} />
      ))}
      {keyFrames.length * KEY_FRAME_ROOM < width &&
        keyFrames.map((time) => (
          <span key={time} className={classes.keyFrame} style={{ left: left(time) }} />
        ))}
    </div>
  )
}
