import { memo } from 'react'
import classes from './heat-curve.module.css'

const HEIGHT = 100
/** Height of the least watched part. */
const LEAST = 6

/** Watch time of each part, above the seek bar. */
export const HeatCurve = memo(function HeatCurve({ heat }: { heat: readonly number[] }) {
  return (
    <svg
      className={classes.root}
      viewBox={`0 0 ${heat.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={pathOf(heat)} />
    </svg>
  )
})

/** A smooth line through the middle of each part, closed at the bottom. */
function pathOf(heat: readonly number[]): string {
  const top = (share: number) => HEIGHT - Math.max(LEAST, share * (HEIGHT - 4))
  const first = top(heat[0] ?? 0)
  const steps = heat.slice(1).map((share, index) => {
    const [from, to] = [top(heat[index] ?? 0), top(share)]
    const x = index + 0.5
    return `C${x + 0.5} ${from} ${x + 0.5} ${to} ${x + 1} ${to}`
  })
  return `M0 ${HEIGHT}V${first}H0.5${steps.join('')}H${heat.length}V${HEIGHT}Z`
}
