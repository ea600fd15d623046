import { readWaveform } from '#shared/waveform.ts'
import { lengthOf, type TimeWindow } from './time-window.ts'
import classes from './timeline-strip.module.css'

const HEIGHT = 36
/** Pixels between bars. */
const BAR_SPACING = 3
/** Silence stays visible. */
const LEAST = 1

type WavePlotProps = { window: TimeWindow; peaks: Uint8Array; width: number }

export function WavePlot({ window, peaks, width }: WavePlotProps) {
  const parts = Math.floor(width / BAR_SPACING)
  if (parts === 0) return <div className={classes.wave} />
  // At multiples of a bar's length, so that scrolling changes none.
  const step = (lengthOf(window) / width) * BAR_SPACING
  const fromSeconds = Math.floor(window.fromSeconds / step) * step
  const toSeconds = fromSeconds + (parts + 1) * step
  const offset = ((fromSeconds - window.fromSeconds) / lengthOf(window)) * width
  const bars = readWaveform(peaks, { fromSeconds, toSeconds, parts: parts + 1 })
  const lines = bars.map((peak, index) => {
    const half = Math.max(LEAST, peak * (HEIGHT / 2 - 2))
    const x = offset + (index + 0.5) * BAR_SPACING
    return `M${x.toFixed(1)} ${(HEIGHT / 2 - half).toFixed(1)}v${(2 * half).toFixed(1)}`
  })
  return (
    <svg className={classes.wave} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      <path d={lines.join('')} />
    </svg>
  )
}
