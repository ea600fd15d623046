import { IconCloudOff, IconLockOpen } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { statTile, statValue } from '#client/kit/panel/stat-tile.ts'
import type { Overview as OverviewData } from '#shared/schemas/desk/overview.schemas.ts'
import { formatBytes, formatCount } from '#shared/text/format.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { DayPlot } from '../../kit/day-plot.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { ListSkeleton } from '../list-frame.tsx'
import { ReleaseNews } from '../release/release-news.tsx'
import { RunningVersion } from '../release/running-version.tsx'
import { UpdateNotice } from '../release/update-notice.tsx'
import { SetupCard } from '../setup/setup-card.tsx'
import { StorageBar } from '../storage/storage-bar.tsx'
import { oneOf, useAddress } from '../use-address.ts'
import { NodesPanel, useNodes } from './nodes-panel.tsx'
import styles from './overview.module.css'

const REFRESH_MS = 15_000

export function Overview() {
  const overview = trpc.overview.get.useQuery(undefined, { refetchInterval: REFRESH_MS })
  const release = trpc.release.get.useQuery()
  const setup = trpc.setup.get.useQuery()
  const nodes = useNodes()
  // Rendered together, so that nothing moves.
  if (overview.isPending || release.isPending || setup.isPending || nodes.isPending) {
    return <ListSkeleton />
  }
  if (!overview.data) {
    return (
      <LoadError
        text={`The overview could not be loaded: ${errorSentence(overview.error)}`}
        error={overview.error}
        onRetry={() => void overview.refetch()}
      />
    )
  }
  const { data } = overview
  return (
    <>
      {setup.data && <SetupCard setup={setup.data} />}
      {release.data?.update?.isNewer && <UpdateNotice release={release.data} />}
      {release.data?.news && <ReleaseNews release={release.data} news={release.data.news} />}
      {data.storage.elsewhere?.problem && (
        <p className={styles.problem} role="alert">
          <IconCloudOff size={20} stroke={1.75} aria-hidden />
          {data.storage.elsewhere.problem}
        </p>
      )}
      {data.plainConnections.map((sentence) => (
        <p key={sentence} className={styles.notice}>
          <IconLockOpen size={20} stroke={1.75} aria-hidden />
          {sentence}
        </p>
      ))}
      <Tiles data={data} />
      <Views />
      <Panel title="Storage">
        <StorageBar storage={data.storage} />
        <p>{describeForecast(data.forecast)}</p>
      </Panel>
      <LastBackup backup={data.lastBackup} />
      <NodesPanel found={nodes} />
      <footer className={row([0, 16], 'wrap', 'note')}>
        {release.data && <RunningVersion release={release.data} />}
        <Link
          to="/admin/$section"
          params={{ section: 'welcome' }}
          className={row(0, 'inline', 'touch', 'infoColor')}
        >
          Set-up checklist
        </Link>
      </footer>
    </>
  )
}

function Tiles({ data }: { data: OverviewData }) {
  const { jobs } = data
  return (
    <div className={styles.tiles}>
      <Tile to="/admin/members" label="Members" value={data.members} />
      <Tile label="Videos" value={data.videos} />
      <Tile to="/admin/approvals" label="Waiting for approval" value={data.approvals} needsAction />
      <Tile to="/admin/reports" label="Open reports" value={data.openReports} needsAction />
      <Tile to="/admin/comments" label="Comments to review" value={data.heldComments} needsAction />
      <Tile to="/admin/jobs" label="Jobs in the queue" value={jobs.queued + jobs.running} />
      <Tile
        to="/admin/jobs"
        search={{ state: 'failed' }}
        label="Failed jobs"
        value={jobs.failed}
        wrong
      />
    </div>
  )
}

type TileProps = {
  to?: string
  search?: Record<string, string>
  label: string
  value: number
  needsAction?: boolean
  wrong?: boolean
}

function Tile({ to, search, label, value, needsAction, wrong }: TileProps) {
  const inside = (
    <>
      <span className={statValue}>{formatCount(value)}</span>
      <span className={look('note')}>{label}</span>
    </>
  )
  const marks = {
    className: `${statTile} ${styles.tile}`,
    'data-needs-action': (needsAction && value > 0) || undefined,
    'data-wrong': (wrong && value > 0) || undefined,
  }
  if (!to) return <div {...marks}>{inside}</div>
  return (
    <Link to={to} search={(search ?? {}) as never} {...marks}>
      {inside}
    </Link>
  )
}

const SPANS = ['30', '90'] as const

function Views() {
  const { search, change } = useAddress()
  const days = oneOf(SPANS, search.days)
  const views = trpc.overview.views.useQuery({ days: days === '90' ? 90 : 30 })
  return (
    <Panel
      title="Views by day"
      action={
        <InlineSelect
          label="Span"
          options={SPANS.map((value) => ({ value, label: `${value} days` }))}
          value={days}
          onChange={(value) => change({ days: value })}
        />
      }
    >
      {views.data ? (
        <DayPlot label="Views" days={views.data.map(({ day, views: value }) => ({ day, value }))} />
      ) : (
        <p
          className={`${look('muted')} ${styles.plotToCome}`}
          role={views.error ? 'alert' : 'status'}
        >
          {views.error ? errorSentence(views.error) : 'Loading...'}
        </p>
      )}
    </Panel>
  )
}

function describeForecast(forecast: OverviewData['forecast']): string {
  if (forecast.kind === 'unknown') return 'Too early to say when the disk will be full.'
  if (forecast.kind === 'unlimited')
    return 'No limit is set for the store: MEDIA_STORE_BYTES sets one.'
  if (forecast.kind === 'not-filling') return 'Not filling up at the pace of the last weeks.'
  const { weeks, bytesPerWeek } = forecast
  const pace = `${formatBytes(bytesPerWeek)} a week`
  if (weeks < 1) return `Full in less than a week at this pace (${pace}).`
  const whole = Math.round(weeks)
  return `Full in about ${whole} ${whole === 1 ? 'week' : 'weeks'} at this pace (${pace}).`
}

function LastBackup({ backup }: { backup: OverviewData['lastBackup'] }) {
  return (
    <Panel title="Last backup">
      {!backup && (
        <p>
          There is none yet.{' '}
          <Link to="/admin/$section" params={{ section: 'backup' }} className={classes.link}>
            Make a backup
          </Link>
        </p>
      )}
      {backup?.state === 'running' && <p>A backup is being made now.</p>}
      {backup?.state === 'done' && (
        <p>
          Verified <TimeAgo time={backup.finishedAt ?? backup.startedAt} />.
        </p>
      )}
      {backup?.state === 'failed' && (
        <p className={look('errorColor')}>
          Failed <TimeAgo time={backup.startedAt} />: {backup.error}
        </p>
      )}
    </Panel>
  )
}
