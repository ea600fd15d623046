import { formatCount, formatDate } from '#shared/format.ts'
import classes from './day-plot.module.css'

type DayPlotProps = {
  /** What is counted, for the table and screen readers: 'Views'. */
  label: string
  /** Oldest first, without gaps. */
  days: readonly { day: string; value: number }[]
  format?: (value: number) => string
}

const WIDTH = 720
const HEIGHT = 200
const LEFT = 44
const BOTTOM = 24
const TOP = 8
const GAP_SHARE = 0.25

/** Bars for the days, and the same numbers as a table for whoever cannot see bars. */
export function DayPlot({ label, days, format = formatCount }: DayPlotProps) {
  const top = niceCeiling(Math.max(1, ...days.map(({ value }) => value)))
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const floor = HEIGHT - BOTTOM
  const step = (WIDTH - LEFT) / Math.max(1, days.length)
  const labelled = new Set([0, Math.floor((days.length - 1) / 2), days.length - 1])
  return (
    <figure className={classes.figure}>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${label} by day: ${format(total)} in ${days.length} days`}
      >
        {[0, 0.5, 1].map((share) => {
          const y = floor - share * (floor - TOP)
          return (
            <g key={share}>
              <line className={classes.line} x1={LEFT} x2={WIDTH} y1={y} y2={y} />
              <text className={classes.label} x={LEFT - 8} y={y + 4} textAnchor="end">
                {format(top * share)}
              </text>
            </g>
          )
        })}
        {days.map(({ day, value }, index) => {
          const height = (value / top) * (floor - TOP)
          const x = LEFT + index * step + (step * GAP_SHARE) / 2
          const width = step * (1 - GAP_SHARE)
          return (
            <rect
              key={day}
              className={classes.bar}
              rx={Math.min(2, width / 2)}
              {...{ x, width, height, y: floor - height }}
            >
              <title>{`${shortDay(day)}: ${format(value)}`}</title>
            </rect>
          )
        })}
        {days.map(({ day }, index) =>
          labelled.has(index) ? (
            <text
              key={day}
              className={classes.label}
              x={index === 0 ? LEFT : LEFT + (index + 0.5) * step}
              y={HEIGHT - 4}
              textAnchor={index === 0 ? 'start' : index === days.length - 1 ? 'end' : 'middle'}
            >
              {shortDay(day)}
            </text>
          ) : null,
        )}
      </svg>
      <details>
        <summary className={classes.summary}>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
        <section className={classes.scroll} aria-label={`${label} by day`} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">{label}</th>
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map(({ day, value }) => (
                <tr key={day}>
                  <th scope="row">{formatDate(`${day}T12:00:00Z`)}</th>
                  <td>{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

/** The next of 1, 2, 5, 10, 20 … that is not below `value`, and even where it has a middle. */
function niceCeiling(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value))
  const found = [1, 2, 5, 10].find((factor) => factor * size >= value) ?? 10
  return Math.max(2, found * size)
}

function shortDay(day: string): string {
  return new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(day))
}
