import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Report } from '#shared/moderation.schemas.ts'
import { LostDrawing } from '../../components/drawings/lost-drawing.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { InlineSelect } from '../../kit/inline-select.tsx'
import { trpc } from '../../trpc.ts'
import classes from './admin.module.css'
import { type Deed, DeedDialog } from './deed-dialog.tsx'
import { FilterBox } from './filter-box.tsx'
import { ListFrame, nextPage } from './list-frame.tsx'
import { MemberThing, State, VideoThing } from './thing.tsx'
import { oneOf, useAddress } from './use-address.ts'
import { type Deeds, useDeeds } from './use-deeds.ts'

const STATES = ['open', 'resolved', 'dismissed'] as const
const LABELS = { open: 'Open', resolved: 'Resolved', dismissed: 'Dismissed' }

/** What members complain about, with what it is about and what can be done. */
export function Reports() {
  const { search, change } = useAddress()
  const state = oneOf(STATES, search.state)
  const reports = trpc.report.list.useInfiniteQuery({ state, q: search.q }, nextPage)
  const deeds = useDeeds()
  const [deed, setDeed] = useState<Deed>()
  return (
    <>
      <div className={classes.toolbar}>
        <FilterBox label="Filter by reason, name or title" />
        <InlineSelect
          label="Show"
          options={STATES.map((value) => ({ value, label: LABELS[value] }))}
          value={state}
          onChange={(value) => change({ state: value })}
        />
      </div>
      <ListFrame
        query={reports}
        empty={{ drawing: <LostDrawing />, title: `No ${LABELS[state].toLowerCase()} reports` }}
      >
        {(items) => (
          <div className={classes.cards}>
            {items.map((report) => (
              <ReportCard key={report.id} report={report} deeds={deeds} onDeed={setDeed} />
            ))}
          </div>
        )}
      </ListFrame>
      {deed && <DeedDialog deed={deed} deeds={deeds} onClose={() => setDeed(undefined)} />}
    </>
  )
}

type ReportCardProps = { report: Report; deeds: Deeds; onDeed: (deed: Deed) => void }

function ReportCard({ report, deeds, onDeed }: ReportCardProps) {
  const { reason, reporterName, openCount, video, comment, accused, state, kind: what } = report
  return (
    <article className={classes.card} aria-label={`Report of a ${what}`}>
      <p className={`${classes.row} ${classes.quiet}`}>
        <State state={state === 'open' ? 'queued' : state}>{LABELS[state]}</State>A {what}, reported
        by {reporterName ?? 'a deleted user'} <TimeAgo time={report.createdAt} />
        {openCount > 1 && <span>· {openCount} open reports about it</span>}
        {report.closedByName && <span>· closed by @{report.closedByName}</span>}
      </p>
      <p className={classes.name}>{reason}</p>
      {comment && <blockquote className={classes.quote}>{comment.content}</blockquote>}
      {report.isGone && (
        <>
          <p className={classes.quiet}>It was deleted since. This is what it said:</p>
          <blockquote className={classes.quote}>{report.subject}</blockquote>
        </>
      )}
      {video && (
        <VideoThing video={video}>
          {comment ? 'The video it is on' : video.isHidden && 'Not public now'}
        </VideoThing>
      )}
      {accused && (
        <MemberThing member={accused}>
          {accused.isBanned && ' · banned'}
          {accused.warnings > 0 &&
            ` · warned ${accused.warnings === 1 ? 'once' : `${accused.warnings} times`} before`}
        </MemberThing>
      )}
      {state === 'open' && <ReportActions {...{ report, deeds, onDeed }} />}
    </article>
  )
}

function ReportActions({ report, deeds, onDeed }: ReportCardProps) {
  const { id, video, comment, accused } = report
  const target = comment
    ? ({ noun: 'Comment', id: comment.id, name: '', isHidden: comment.isHidden } as const)
    : video &&
      ({ noun: 'Video', id: video.id, name: video.title, isHidden: video.isHidden } as const)
  const small = { size: 'small', variant: 'default' } as const
  return (
    <div className={classes.row}>
      {target && (
        <>
          <Button
            {...small}
            onClick={() =>
              target.isHidden
                ? void deeds[`unhide${target.noun}`]({ id: target.id }).catch(() => undefined)
                : onDeed({ kind: `hide${target.noun}`, id: target.id, name: target.name })
            }
          >
            {target.isHidden ? 'Show again' : `Hide ${target.noun.toLowerCase()}`}
          </Button>
          <Button
            {...small}
            onClick={() =>
              onDeed({ kind: `delete${target.noun}`, id: target.id, name: target.name })
            }
          >
            Delete {target.noun.toLowerCase()}
          </Button>
        </>
      )}
      {accused && !accused.isBanned && (
        <>
          <Button
            {...small}
            onClick={() => onDeed({ kind: 'warn', id: accused.id, name: accused.displayName })}
          >
            Warn
          </Button>
          {!accused.isAdmin && (
            <Button
              {...small}
              onClick={() => onDeed({ kind: 'ban', id: accused.id, name: accused.displayName })}
            >
              Ban
            </Button>
          )}
        </>
      )}
      <Button {...small} onClick={() => void deeds.closeReport({ id, state: 'resolved' })}>
        Resolve
      </Button>
      <Button
        size="sm"
        variant="subtle"
        onClick={() => void deeds.closeReport({ id, state: 'dismissed' })}
      >
        Dismiss
      </Button>
    </div>
  )
}
