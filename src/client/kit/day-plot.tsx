import './styles/mantine-pages.css'
import { Table } from '@mantine/core'
import { beside, stack } from '#client/kit/layout/layout.ts'
import { formatCount, formatDate } from '#shared/text/format.ts'
import { Disclosure } from './control/disclosure.tsx'
import classes from './day-plot.module.css'

type DayPlotProps = {
  /** Such as 'Views'. */
  label: string
  /** Oldest first, without gaps. */
  days: readonly { day: string; value: number }[]
  format?: (value: number) => string
}

const HEIGHT = 100
const GAP_SHARE = 0.25

/** Also a table, for screen readers. */
export function DayPlot({ label, days, format = formatCount }: DayPlotProps) {
  const top = niceCeiling(Math.max(1, ...days.map(({ value }) => value)))
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const [first, middle, last] = [days[0], days[Math.floor((days.length - 1) / 2)], days.at(-1)]
  return (
    <figure className={`${stack(8)} ${classes.figure}`}>
      <div className={beside([4, 8], 'fine')}>
        <div className={classes.scale} aria-hidden="true">
          {[1, 0.5, 0].map((share) => (
            <span key={share}>{format(top * share)}</span>
          ))}
        </div>
        <svg
          className={classes.bars}
          viewBox={`0 0 ${days.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label} by day: ${format(total)} in ${days.length} days`}
        >
          {days.map(({ day, value }, index) => {
            const height = (value / top) * HEIGHT
            const place = { x: index + GAP_SHARE / 2, y: HEIGHT - height }
            return (
              <rect
                key={day}
                className={classes.bar}
                {...{ ...place, height, width: 1 - GAP_SHARE }}
              >
                <title>{`${shortDay(day)}: ${format(value)}`}</title>
              </rect>
            )
          })}
        </svg>
        <div className={classes.axis} aria-hidden="true">
          {[first, middle, last].map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: beginning, middle and end stay in their places.
            <span key={index}>{one && shortDay(one.day)}</span>
          ))}
        </div>
      </div>
      <Disclosure label="Show as a table">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
        <section className={classes.scroll} aria-label={`${label} by day`} tabIndex={0}>
          <Table className={classes.table} verticalSpacing="var(--space-4)" tabularNums>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Day</Table.Th>
                <Table.Th scope="col">{label}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[...days].reverse().map(({ day, value }) => (
                <Table.Tr key={day}>
                  <Table.Th scope="row">{formatDate(`${day}T12:00:00Z`)}</Table.Th>
                  <Table.Td>{format(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      </Disclosure>
    </figure>
  )
}

/** Next of 1, 2, 5, 10, 20 …, even if it has a middle line. */
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
