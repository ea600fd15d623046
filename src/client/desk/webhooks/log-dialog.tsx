import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { LoadError } from '../../kit/list/load-error.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { ListSkeleton } from '../list-frame.tsx'
import { StateLabel } from '../moderation/subject.tsx'

type LogDialogProps<Item> = {
  title: string
  log: { data: Item[] | undefined; error: unknown; isPending: boolean; refetch: () => unknown }
  /** Shown without items. */
  empty: string
  children: (item: Item) => ReactNode
  onClose: () => void
}

/** Lists the messages of a webhook, newest first. */
export function LogDialog<Item>(props: LogDialogProps<Item>) {
  const { title, log, empty, children, onClose } = props
  const { data, error, isPending, refetch } = log
  return (
    <Dialog title={title} size={720} onClose={onClose}>
      {isPending && <ListSkeleton />}
      {!data && !isPending && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <p className={look('muted')} role="status">
          {empty}
        </p>
      )}
      {data && data.length > 0 && <ul className={stack(12)}>{data.map(children)}</ul>}
    </Dialog>
  )
}

type LogEntryProps = {
  state: string
  label: string
  title: ReactNode
  createdAt: string
  /** When it is sent next. */
  nextAt: string | null
  facts?: ReactNode
  problem: string | null
  again?: { label: string; isPending: boolean; onPress: () => void } | undefined
  children?: ReactNode
}

export function LogEntry(props: LogEntryProps) {
  const { state, label, title, createdAt, nextAt, facts, problem, again, children } = props
  return (
    <li className={stack(4, 'framed', 'pad12')}>
      <div className={row([4, 8], 'wrap')}>
        <StateLabel state={state}>{label}</StateLabel>
        <span className={look('strong', 'breakWords', 'grow')}>{title}</span>
        {again && (
          <Button
            size="sm"
            variant="default"
            disabled={again.isPending}
            onClick={() => again.onPress()}
          >
            {again.label}
          </Button>
        )}
      </div>
      <p className={look('note')}>
        <TimeAgo time={createdAt} />
        {facts}
        {nextAt !== null && Date.parse(nextAt) > Date.now() && (
          <>
            {' '}
            · again <TimeAgo time={nextAt} />
          </>
        )}
      </p>
      {problem && <p className={look('note', 'errorColor', 'breakWords')}>{problem}</p>}
      {children}
    </li>
  )
}
