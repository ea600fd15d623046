import { Disclosure } from '#client/kit/control/disclosure.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { VideoAnalytics } from '#shared/schemas/desk/analytics.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import classes from './analytics.module.css'

const HEIGHT = 100
const TENTHS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]

/** Share of remaining viewers over the video. */
export function RetentionCurve({ video }: { video: VideoAnalytics }) {
  const { retention, durationSeconds } = video
  const timeOf = (index: number) => formatDuration((index / 100) * durationSeconds)
  const points = retention.map((share, index) => `${index},${HEIGHT - share * (HEIGHT - 4)}`)
  return (
    <Panel title="Where viewers leave" heading="h3" className={look('below16')}>
      {retention.length === 0 ? (
        <p className={look('note')}>Not enough views yet. A curve will show where viewers leave.</p>
      ) : (
        <>
          <svg
            className={classes.curve}
            viewBox={`0 0 99 ${HEIGHT}`}
            preserveAspectRatio="none"
            style={{ height: 160 }}
            role="img"
            aria-label="Share of viewers over the length of the video; the table says it in numbers"
          >
            <polygon
              className={classes.area}
              points={`0,${HEIGHT} ${points.join(' ')} 99,${HEIGHT}`}
            />
            <polyline className={classes.line} points={points.join(' ')} />
          </svg>
          <p className={look('note')}>
            From 0:00 to {formatDuration(durationSeconds)}, against the part that was watched most.
          </p>
          <Disclosure label="Show as a table">
            <ul className={stack(8, 'size13')}>
              {TENTHS.map((index) => (
                <li key={index}>
                  {timeOf(index)}: {Math.round((retention[index] ?? 0) * 100)}%
                </li>
              ))}
            </ul>
          </Disclosure>
        </>
      )}
    </Panel>
  )
}
