import { type CSSProperties, memo, useEffect, useRef } from 'react'
import { row } from '#client/kit/layout/layout.ts'
import type { Chapter } from '#shared/chapters.ts'
import type { CommentMark } from '../core/comment-marks.ts'
import { placeOf } from '../core/play-range.ts'
import type { TimeRange } from '../core/player-state.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import classes from './seek-track.module.css'

type SeekTrackProps = {
  chapters: readonly Chapter[]
  marks: readonly CommentMark[]
  /** Dragged position in seconds, in place of the video's time. */
  heldAt: number | undefined
  /** Under the pointer, in seconds. */
  pointedAt: number | undefined
}

/** Split at chapters. */
export function SeekTrack({ chapters, marks, heldAt, pointedAt }: SeekTrackProps) {
  const duration = usePlayerState((state) => state.duration) || 1
  const buffered = usePlayerState((state) => state.buffered)
  const rootRef = useRunningTime(heldAt, duration)
  const parts = chapters.length > 0 ? chapters : [{ start: 0, end: duration }]
  return (
    <div ref={rootRef} className={row(0, 'coverAnchor')} aria-hidden="true">
      {parts.map(({ start, end }) => (
        <Part
          key={start}
          range={{ start, end }}
          buffered={buffered}
          pointedAt={pointedAt}
          duration={duration}
        />
      ))}
      {marks.map(({ seconds, count }) => (
        <span
          key={seconds}
          className={classes.mark}
          data-many={count > 2 || undefined}
          style={{ left: `${(seconds / duration) * 100}%` }}
        />
      ))}
      <span className={classes.thumb} />
    </div>
  )
}

type PartProps = {
  range: TimeRange
  buffered: readonly TimeRange[]
  pointedAt: number | undefined
  duration: number
}

const Part = memo(function Part({ range, buffered, pointedAt, duration }: PartProps) {
  const { start, end } = range
  const length = end - start
  const inside = (seconds: number) => Math.min(Math.max((seconds - start) / length, 0), 1)
  const style = {
    left: `${(start / duration) * 100}%`,
    width: `${(length / duration) * 100}%`,
    // In the unit of `--played`: a share of the whole video.
    '--from': start / duration,
    '--length': length / duration,
  }
  const isPointed = pointedAt !== undefined && pointedAt >= start && pointedAt < end
  return (
    <span
      className={classes.part}
      style={style as CSSProperties}
      data-pointed={isPointed || undefined}
    >
      {buffered.map((loaded) => {
        const [from, to] = [inside(loaded.start), inside(loaded.end)]
        if (to <= from) return null
        const place = { left: `${from * 100}%`, width: `${(to - from) * 100}%` }
        return <span key={loaded.start} className={classes.buffered} style={place} />
      })}
      {pointedAt !== undefined && (
        <span className={classes.ahead} style={{ width: `${inside(pointedAt) * 100}%` }} />
      )}
      <span className={classes.played} />
    </span>
  )
})

/**
 * Updates `--played` on every frame: the element's four events per second look jerky in short
 * clips.
 */
function useRunningTime(heldAt: number | undefined, duration: number) {
  const player = usePlayer()
  const rootRef = useRef<HTMLDivElement>(null)
  const runs = usePlayerState((state) => !state.isPaused && !state.isWaiting)
  const isRunning = runs && heldAt === undefined
  const stillAt = usePlayerState((state) => (isRunning ? 0 : (heldAt ?? state.time)))
  useEffect(() => {
    const root = rootRef.current
    if (!root) return
    const write = (seconds: number) =>
      root.style.setProperty('--played', String(Math.min(seconds / duration, 1)))
    if (!isRunning) return write(stillAt)
    let handle = 0
    const follow = () => {
      const { core } = player
      write(core.video ? placeOf(core, core.video) : 0)
      handle = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(handle)
  }, [player, isRunning, stillAt, duration])
  return rootRef
}
