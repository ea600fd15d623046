import { type CSSProperties, useEffect, useRef } from 'react'
import { shareAt, type TimeWindow } from '#client/kit/timeline/time-window.ts'
import { TimelineStrip } from '#client/kit/timeline/timeline-strip.tsx'
import type { StoryboardTile } from '#client/platform/video/storyboard.ts'
import { formatTenths } from '#shared/text/format.ts'
import type { Player } from '../../player/core/player.ts'
import type { ClipRange, RangeEdge } from './choose-range.ts'
import { RangeHandle } from './range-handle.tsx'
import classes from './range-strip.module.css'
import { type RangePart, useRangeDrag } from './use-range-drag.ts'

type RangeStripProps = {
  player: Player
  window: TimeWindow
  range: ClipRange
  durationSeconds: number
  tiles: readonly StoryboardTile[]
  peaks: Uint8Array | null
  /** Explains the keys where there are any. */
  hintId: string | undefined
  onGrab: () => void
  onMove: (part: RangePart, toSeconds: number) => void
  onKeyMove: (edge: RangeEdge, toSeconds: number) => void
  onWindow: (window: TimeWindow) => void
  onRelease: (part: RangePart) => void
}

export function RangeStrip(props: RangeStripProps) {
  const { player, window, range, durationSeconds, tiles, peaks, hintId, onKeyMove } = props
  const handlers = useRangeDrag(props)
  const [start, end] = [shareAt(window, range.start), shareAt(window, range.end)]
  const handle = { durationSeconds, hintId, frameSeconds: player.core.frameSeconds }
  return (
    <div className={classes.root}>
      <div className={classes.strip} {...handlers}>
        <TimelineStrip {...{ window, tiles, peaks }}>
          <div className={classes.outside} style={{ left: 0, right: `${(1 - start) * 100}%` }} />
          <div className={classes.outside} style={{ left: `${end * 100}%`, right: 0 }} />
          <div
            className={classes.chosen}
            style={{ left: `${start * 100}%`, right: `${(1 - end) * 100}%` }}
          />
          <Playhead player={player} window={window} />
          <RangeHandle
            {...handle}
            edge="start"
            seconds={range.start}
            share={start}
            onMove={(to) => onKeyMove('start', to)}
          />
          <RangeHandle
            {...handle}
            edge="end"
            seconds={range.end}
            share={end}
            onMove={(to) => onKeyMove('end', to)}
          />
        </TimelineStrip>
      </div>
      <Ends range={range} start={start} end={end} />
    </div>
  )
}

type EndsProps = {
  range: ClipRange
  /** 0 to 1. */
  start: number
  end: number
}

/** Times outside the handles; at the strip's edges inside, side by side. */
function Ends({ range, start, end }: EndsProps) {
  const texts = [formatTenths(range.start), formatTenths(range.end)] as const
  const style = {
    '--start': start,
    '--end': end,
    '--characters': Math.max(...texts.map(({ length }) => length)),
  }
  return (
    <div className={classes.ends} style={style as CSSProperties}>
      <span className={classes.startTime}>{texts[0]}</span>
      <span className={classes.endTime}>{texts[1]}</span>
    </div>
  )
}

/** Updated per frame, bypassing React. */
function Playhead({ player, window }: { player: Player; window: TimeWindow }) {
  const ref = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let handle = 0
    const follow = () => {
      const share = shareAt(window, player.core.video?.currentTime ?? 0)
      if (ref.current) ref.current.style.left = `${Math.min(Math.max(share, 0), 1) * 100}%`
      handle = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(handle)
  }, [player, window])
  return <span ref={ref} className={classes.playhead} aria-hidden="true" />
}
