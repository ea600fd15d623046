import { type PointerEvent, useState } from 'react'
import { formatDuration } from '#shared/format.ts'
import classes from './seek-bar.module.css'

type SeekBarProps = {
  time: number
  duration: number
  buffered: number
  onSeek: (seconds: number) => void
}

/** Where in the video one is, what is loaded, and a way to be elsewhere. Seconds. */
export function SeekBar({ time, duration, buffered, onSeek }: SeekBarProps) {
  const [pointed, setPointed] = useState<number>()
  const share = (seconds: number) => (duration > 0 ? Math.min(seconds / duration, 1) : 0)
  const point = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setPointed(Math.min(Math.max((event.clientX - left) / width, 0), 1))
  }
  return (
    <div
      className={classes.root}
      onPointerMove={point}
      onPointerLeave={() => setPointed(undefined)}
    >
      {pointed !== undefined && (
        <span className={classes.pointed} style={{ left: `${pointed * 100}%` }} aria-hidden="true">
          {formatDuration(pointed * duration)}
        </span>
      )}
      <div className={classes.track} aria-hidden="true">
        <div className={classes.buffered} style={{ scale: `${share(buffered)} 1` }} />
        <div className={classes.played} style={{ scale: `${share(time)} 1` }} />
      </div>
      <span
        className={classes.thumb}
        style={{ left: `${share(time) * 100}%` }}
        aria-hidden="true"
      />
      <input
        type="range"
        className={classes.input}
        aria-label="Seek"
        aria-valuetext={`${formatDuration(time)} of ${formatDuration(duration)}`}
        min={0}
        max={duration || 1}
        step={0.1}
        value={Math.min(time, duration || 1)}
        onChange={(event) => onSeek(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}
