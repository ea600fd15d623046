import { useElementSize } from '@mantine/hooks'
import { look } from '#client/kit/layout/layout.ts'
import type { TimeWindow } from '#client/kit/timeline/time-window.ts'
import { TimelineStrip } from '#client/kit/timeline/timeline-strip.tsx'
import type { StoryboardTile } from '#client/platform/video/storyboard.ts'
import { formatTenths } from '#shared/text/format.ts'
import type { Segment } from '../cut-edit.ts'
import { CutHandle } from './cut-handle.tsx'
import classes from './cut-timeline.module.css'
import { type Marks, TimelineMarks } from './timeline-marks.tsx'
import { TimelineScroll } from './timeline-scroll.tsx'
import { useTimelineGestures } from './use-timeline-gestures.ts'

type CutTimelineProps = {
  durationSeconds: number
  frameSeconds: number
  segments: readonly Segment[]
  seconds: number
  view: TimeWindow
  tiles: readonly StoryboardTile[]
  peaks: Uint8Array | null
  marks: Marks
  onView: (view: TimeWindow) => void
  onSeek: (seconds: number) => void
  onMove: (cut: number, toSeconds: number, drag?: string) => void
}

export function CutTimeline(props: CutTimelineProps) {
  const { durationSeconds, frameSeconds, segments, seconds, view, onView, onSeek, onMove } = props
  const { ref: measure, width } = useElementSize()
  const { listen, handlers } = useTimelineGestures({ view, width, durationSeconds, onView, onSeek })
  const secondsPerPixel = (view.toSeconds - view.fromSeconds) / Math.max(1, width)
  const toX = (at: number) => (at - view.fromSeconds) / secondsPerPixel
  const isSeen = (at: number) => at >= view.fromSeconds && at <= view.toSeconds
  return (
    <div className={look('shrink')}>
      <section ref={listen} className={classes.area} aria-label="Timeline" {...handlers}>
        <div ref={measure} className={classes.measure} />
        <div className={classes.strip}>
          <TimelineStrip window={view} tiles={props.tiles} peaks={props.peaks} />
        </div>
        {width > 0 && <TimelineMarks {...props.marks} view={view} width={width} />}
        {segments.map(({ fromSeconds, toSeconds, isKept }) => {
          const isOutside = toSeconds < view.fromSeconds || fromSeconds > view.toSeconds
          if (isKept || isOutside || width === 0) return null
          const left = Math.max(0, toX(fromSeconds))
          return (
            <div
              key={fromSeconds}
              className={classes.dropped}
              style={{ left, width: Math.min(width, toX(toSeconds)) - left }}
            />
          )
        })}
        {isSeen(seconds) && (
          <div
            className={classes.playhead}
            style={{ transform: `translateX(${toX(seconds)}px)` }}
          />
        )}
        {segments.map((segment, index) => {
          const before = segments[index - 1]
          if (!before || !isSeen(segment.fromSeconds) || width === 0) return null
          return (
            <CutHandle
              // biome-ignore lint/suspicious/noArrayIndexKey: a handle is the same one while it is moved.
              key={index}
              label={`Cut ${index}`}
              seconds={segment.fromSeconds}
              fromSeconds={before.fromSeconds}
              toSeconds={segment.toSeconds}
              x={toX(segment.fromSeconds)}
              {...{ secondsPerPixel, frameSeconds }}
              onMove={(toSeconds, drag) => onMove(index, toSeconds, drag)}
            />
          )
        })}
      </section>
      <TimelineScroll view={view} durationSeconds={durationSeconds} onView={onView} />
      <p className="visually-hidden">
        The timeline shows {formatTenths(view.fromSeconds)} to {formatTenths(view.toSeconds)}. Its
        parts are listed below.
      </p>
    </div>
  )
}
