import { useElementSize } from '@mantine/hooks'
import { useLayoutEffect, useRef } from 'react'
import { formatTenths } from '#shared/text/format.ts'
import type { Stretch } from '../cut-edit.ts'
import { CutHandle } from './cut-handle.tsx'
import classes from './cut-timeline.module.css'
import { drawTimeline, type TimelineContent } from './draw-timeline.ts'
import { TimelineScroll } from './timeline-scroll.tsx'
import type { TimelineView } from './timeline-view.ts'
import { useTimelineGestures } from './use-timeline-gestures.ts'

type CutTimelineProps = {
  durationSeconds: number
  frameSeconds: number
  stretches: readonly Stretch[]
  seconds: number
  view: TimelineView
  /** What is drawn of a view so many pixels wide. */
  contentOf: (view: TimelineView, width: number) => TimelineContent
  colorScheme: string
  onView: (view: TimelineView) => void
  onSeek: (seconds: number) => void
  onMove: (cut: number, toSeconds: number, drag?: string) => void
}

/** The video from left to right, with what is dropped and where it is cut. */
export function CutTimeline(props: CutTimelineProps) {
  const { durationSeconds, frameSeconds, stretches, seconds, view, onView, onSeek, onMove } = props
  const { ref: measure, width } = useElementSize()
  const { listen, handlers } = useTimelineGestures({ view, width, durationSeconds, onView, onSeek })
  const secondsPerPixel = (view.toSeconds - view.fromSeconds) / Math.max(1, width)
  const toX = (at: number) => (at - view.fromSeconds) / secondsPerPixel
  const isSeen = (at: number) => at >= view.fromSeconds && at <= view.toSeconds
  return (
    <div className={classes.root}>
      <div ref={listen} className={classes.area} {...handlers}>
        <div ref={measure} className={classes.measure} />
        {width > 0 && <Drawing {...props} width={width} />}
        {stretches.map(({ fromSeconds, toSeconds, isKept }) => {
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
        {stretches.map((stretch, index) => {
          const before = stretches[index - 1]
          if (!before || !isSeen(stretch.fromSeconds) || width === 0) return null
          return (
            <CutHandle
              // biome-ignore lint/suspicious/noArrayIndexKey: a handle is the same one while it is moved.
              key={index}
              label={`Cut ${index}`}
              seconds={stretch.fromSeconds}
              fromSeconds={before.fromSeconds}
              toSeconds={stretch.toSeconds}
              x={toX(stretch.fromSeconds)}
              {...{ secondsPerPixel, frameSeconds }}
              onMove={(toSeconds, drag) => onMove(index, toSeconds, drag)}
            />
          )
        })}
      </div>
      <TimelineScroll view={view} durationSeconds={durationSeconds} onView={onView} />
      <p className="visually-hidden">
        The timeline shows {formatTenths(view.fromSeconds)} to {formatTenths(view.toSeconds)}. Its
        parts are listed below.
      </p>
    </div>
  )
}

type DrawingProps = Pick<CutTimelineProps, 'view' | 'contentOf' | 'colorScheme'> & { width: number }

function Drawing({ view, width, contentOf, colorScheme }: DrawingProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are others in another scheme.
  useLayoutEffect(() => {
    if (canvas.current) {
      drawTimeline(canvas.current, { view, width, content: contentOf(view, width) })
    }
  }, [view, width, contentOf, colorScheme])
  return <canvas ref={canvas} className={classes.canvas} />
}
