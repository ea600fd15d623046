import { Button } from '@mantine/core'
import { IconAlertTriangle, IconBan, IconEye, IconEyeOff, IconTrash } from '@tabler/icons-react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import type { Report } from '#shared/schemas/desk/moderation.schemas.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { LostDrawing } from '../../kit/drawings/lost-drawing.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import type { RowMenuItem } from '../../kit/menu/row-menu-item.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { type AdminAction, requestAdminAction } from '../../platform/admin-request.ts'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { ListFrame } from '../list-frame.tsx'
import { oneOf, useAddress } from '../use-address.ts'
import { OnClip, OnPost } from './comment-place.tsx'
import { MemberSubject, StateLabel, VideoSubject } from './subject.tsx'
import { type AdminActions, useAdminActions } from './use-admin-actions.ts'

const STATES = ['open', 'resolved', 'dismissed'] as const
const LABELS = { open: 'Open', resolved: 'Resolved', dismissed: 'Dismissed' }

export function Reports() {
  const { search, change } = useAddress()
  const state = oneOf(STATES, search.state)
  const reports = trpc.report.list.useInfiniteQuery({ state, q: search.q }, nextPage)
  const actions = useAdminActions()
  return (
    <>
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by reason, name or title" />
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
          <div className={stack(16)}>
            {items.map((report) => (
              <ReportCard key={report.id} report={report} actions={actions} />
            ))}
          </div>
        )}
      </ListFrame>
    </>
  )
}

type ReportCardProps = {
  report: Report
  actions: AdminActions
}

function ReportCard({ report, actions }: ReportCardProps) {
  const { reason, reporterName, openCount, video, comment, clip, postChannel, post } = report
  const { accused, state } = report
  const what = report.kind
  return (
    <article className={stack(12, 'framed', 'pad16')} aria-label={`Report of a ${what}`}>
      <p className={`${classes.row} ${row([8, 16], 'wrap', 'muted')}`}>
        <StateLabel state={state === 'open' ? 'queued' : state}>{LABELS[state]}</StateLabel>A {what}
        , reported by {reporterName ?? 'a deleted user'} <TimeAgo time={report.createdAt} />
        {openCount > 1 && <span>· {openCount} open reports about it</span>}
        {report.closedByName && <span>· closed by @{report.closedByName}</span>}
        {report.closedAt && <TimeAgo time={report.closedAt} />}
      </p>
      <p className={look('strong', 'breakWords', 'textColor')}>{reason}</p>
      {(comment ?? post) && (
        <blockquote className={classes.quote}>{(comment ?? post)?.content}</blockquote>
      )}
      {clip && (
        <p className={look('muted')}>
          <OnClip clip={clip} />
        </p>
      )}
      {postChannel && (
        <p className={look('muted')}>
          <OnPost channel={postChannel} />
        </p>
      )}
      {report.isGone && (
        <>
          <p className={look('muted')}>It has been deleted. This is what it said:</p>
          <blockquote className={classes.quote}>{report.subject}</blockquote>
        </>
      )}
      {video && (
        <VideoSubject video={video}>
          {comment ? 'The video it is on' : video.isHidden && 'Not public now'}
        </VideoSubject>
      )}
      {accused && (
        <MemberSubject member={accused}>
          {accused.isBanned && ' · banned'}
          {accused.warnings > 0 &&
            ` · warned ${accused.warnings === 1 ? 'once' : `${accused.warnings} times`} before`}
        </MemberSubject>
      )}
      {state === 'open' && <ReportActions {...{ report, actions }} />}
    </article>
  )
}

function ReportActions({ report, actions }: ReportCardProps) {
  const { id, kind } = report
  const items = itemsOf(report)
  const small = { size: 'sm', variant: 'default' } as const
  return (
    <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
      <Button {...small} onClick={() => void actions.closeReport({ id, state: 'resolved' })}>
        Resolve
      </Button>
      <Button {...small} onClick={() => void actions.closeReport({ id, state: 'dismissed' })}>
        Dismiss
      </Button>
      {items.length > 0 && <RowMenu label={`Actions for the reported ${kind}`} items={items} />}
    </div>
  )
}

function itemsOf({ video, comment, post, accused }: Report): RowMenuItem[] {
  const ask = (action: AdminAction) => () => requestAdminAction(action)
  const items: RowMenuItem[] = []
  const target = comment ?? post ?? video
  if (target) {
    const noun = comment ? 'Comment' : post ? 'Post' : 'Video'
    const about = { id: target.id, name: noun === 'Video' ? (video?.title ?? '') : '' }
    items.push(
      target.isHidden
        ? { label: 'Show again', Icon: IconEye, onPress: ask({ kind: `unhide${noun}`, ...about }) }
        : {
            ...{ label: `Hide ${noun.toLowerCase()}`, Icon: IconEyeOff },
            onPress: ask({ kind: `hide${noun}`, ...about }),
          },
      {
        ...{ label: `Delete ${noun.toLowerCase()}`, Icon: IconTrash, isDanger: true },
        onPress: ask({ kind: `delete${noun}`, ...about }),
      },
    )
  }
  if (!accused || accused.isBanned) return items
  const { id, displayName: name } = accused
  items.push({ label: 'Warn', Icon: IconAlertTriangle, onPress: ask({ kind: 'warn', id, name }) })
  if (accused.isAdmin) return items
  const ban = ask({ kind: 'ban', id, name })
  return [...items, { label: 'Ban', Icon: IconBan, onPress: ban, isDanger: true }]
}
