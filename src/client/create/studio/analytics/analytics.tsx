import { Button, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { DayPlot } from '#client/kit/day-plot.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { Panel, panel } from '#client/kit/panel/panel.tsx'
import { statTile, statValue } from '#client/kit/panel/stat-tile.ts'
import { PageSpinner } from '#client/kit/spinner.tsx'
import { trpc } from '#client/trpc.ts'
import type { Analytics as AnalyticsData } from '#shared/schemas/desk/analytics.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import type { ViewSource } from '#shared/view-source.ts'
import classes from './analytics.module.css'
import { RetentionCurve } from './retention-curve.tsx'
import { TopVideos } from './top-videos.tsx'

const SPANS = ['30', '90'] as const
const MEASURES = [
  { id: 'views', label: 'Views' },
  { id: 'watchSeconds', label: 'Watch time' },
  { id: 'likes', label: 'Likes' },
] as const
type Measure = (typeof MEASURES)[number]['id']

const SOURCES: Record<ViewSource, string> = {
  site: 'This site',
  direct: 'Direct: typed, bookmarked or from an app',
  search: 'Search engines',
  external: 'Other sites',
  embed: 'Embedded players',
}

type AnalyticsProps = {
  /** Undefined for the whole channel. */
  videoId: number | undefined
  onVideo: (videoId: number | undefined) => void
}

export function Analytics({ videoId, onVideo }: AnalyticsProps) {
  const [span, setSpan] = useState<(typeof SPANS)[number]>('30')
  const days = span === '90' ? 90 : 30
  const channel = trpc.analytics.channel.useQuery({ days }, { enabled: videoId === undefined })
  const video = trpc.analytics.video.useQuery(
    { id: videoId ?? 0, days },
    { enabled: videoId !== undefined },
  )
  const query = videoId === undefined ? channel : video
  if (query.isPending) return <PageSpinner />
  if (!query.data) {
    return <LoadError error={query.error} onRetry={() => void query.refetch()} />
  }
  return (
    <>
      <div className={row([8, 16], 'wrap', 'between', 'below16')}>
        <h2 className={look('breakWords', 'heading')}>{video.data?.title ?? 'All your videos'}</h2>
        {videoId !== undefined && (
          <Button size="sm" variant="subtle" onClick={() => onVideo(undefined)}>
            All your videos
          </Button>
        )}
        <InlineSelect
          label="Span"
          options={SPANS.map((value) => ({ value, label: `${value} days` }))}
          value={span}
          onChange={setSpan}
        />
      </div>
      <Days data={query.data} />
      {videoId !== undefined && video.data && <RetentionCurve video={video.data} />}
      <div className={classes.pair}>
        <Sources sources={query.data.sources} />
        {videoId === undefined && channel.data && (
          <TopVideos videos={channel.data.topVideos} onChoose={onVideo} />
        )}
      </div>
    </>
  )
}

function Days({ data }: { data: AnalyticsData }) {
  const [measure, setMeasure] = useState<Measure>('views')
  const chosen = MEASURES.find(({ id }) => id === measure) ?? MEASURES[0]
  const format = (value: number) => formatMeasure(measure, value)
  return (
    <>
      <div className={classes.tiles}>
        {MEASURES.map(({ id, label }) => (
          <UnstyledButton
            key={id}
            className={`${statTile} ${classes.tile} ${look('hoverable', 'note')}`}
            aria-pressed={id === measure}
            onClick={() => setMeasure(id)}
          >
            <span className={statValue}>{formatMeasure(id, data.totals[id])}</span>
            {label}
          </UnstyledButton>
        ))}
      </div>
      <section className={`${panel} ${look('below16')}`} aria-label={`${chosen.label} by day`}>
        {data.totals[measure] === 0 && (
          <p className={look('note')}>No views yet. Each day will have its bar here.</p>
        )}
        <DayPlot
          label={chosen.label}
          days={data.days.map((row) => ({ day: row.day, value: row[measure] }))}
          format={format}
        />
      </section>
    </>
  )
}

function Sources({ sources }: { sources: AnalyticsData['sources'] }) {
  const all = sources.reduce((sum, { views }) => sum + views, 0)
  return (
    <Panel title="Where views come from" heading="h3" className={look('below16')}>
      {all === 0 && (
        <p className={look('note')}>
          Nothing yet. This site, search engines and others that bring viewers will stand here.
        </p>
      )}
      <ul className={stack(8, 'size13')}>
        {sources.map(({ source, views }) => (
          <li key={source} className={classes.source}>
            {SOURCES[source]}
            <span>
              {formatCount(views)} ({Math.round((views / all) * 100)}%)
            </span>
            <span className={classes.meter} aria-hidden="true">
              <span className={classes.fill} style={{ width: `${(views / all) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function formatMeasure(measure: Measure, value: number): string {
  if (measure !== 'watchSeconds') return formatCount(Math.round(value))
  if (value < 60) return `${Math.round(value)} s`
  if (value < 3600) return `${Math.round(value / 60)} min`
  return `${formatCount(Math.round((value / 3600) * 10) / 10)} h`
}
