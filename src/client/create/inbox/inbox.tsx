import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { MAX_BULK_VIDEOS } from '#shared/limits.ts'
import type { InboxFilter, InboxItem } from '#shared/schemas/inbox.schemas.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { EntryRowsSkeleton } from '../../kit/list/entry-row.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { LoadMore } from '../../kit/list/load-more.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { SelectionBar } from '../studio/list/selection-bar.tsx'
import classes from './inbox.module.css'
import { InboxRow } from './inbox-row.tsx'
import { useInboxActs } from './use-inbox-acts.tsx'

const PublishDialog = lazyPart(() => import('./publish-dialog.tsx'))

/** Interval of refetching while a recording is being published. */
const BUSY_MS = 2000
/** Interval at other times. Live events report new recordings. */
const IDLE_MS = 30_000

const filters = (unusable: number) =>
  [
    { value: 'open', label: 'New' },
    { value: 'dismissed', label: 'Dismissed' },
    { value: 'unusable', label: unusable > 0 ? `Not usable (${unusable})` : 'Not usable' },
  ] as const

type InboxProps = {
  username: string
  show: InboxFilter
  onShow: (show: InboxFilter) => void
}

export default function Inbox({ username, show, onShow }: InboxProps) {
  const state = trpc.inbox.state.useQuery()
  const recordings = trpc.inbox.list.useInfiniteQuery(
    { show },
    {
      ...nextPage,
      staleTime: 0,
      refetchInterval: ({ state: { data } }) =>
        data?.pages.some((page) => page.items.some(isQueued)) ? BUSY_MS : IDLE_MS,
    },
  )
  const items = recordings.data?.pages.flatMap((page) => page.items)
  useVideosOnceDone(items?.filter(isQueued).length ?? 0)
  return (
    <>
      <div className={row([8, 16], 'wrap', 'between', 'below12')}>
        <h2 className={look('heading')}>Recordings from your folder</h2>
        <InlineSelect
          label="Show"
          options={filters(state.data?.unusable ?? 0)}
          value={show}
          onChange={onShow}
        />
      </div>
      {recordings.isPending && <EntryRowsSkeleton count={4} label="Loading your inbox" />}
      {!recordings.isPending && !items && (
        <LoadError
          text={`Your inbox could not be loaded: ${errorSentence(recordings.error)}`}
          error={recordings.error}
          onRetry={() => void recordings.refetch()}
        />
      )}
      {items?.length === 0 && <Nothing username={username} show={show} />}
      {items && items.length > 0 && (
        <>
          <Recordings key={show} items={items} />
          <LoadMore query={recordings} />
        </>
      )}
    </>
  )
}

/** Refetches videos after one was published. */
function useVideosOnceDone(queued: number): void {
  const utils = trpc.useUtils()
  const before = useRef(0)
  useEffect(() => {
    if (queued < before.current) void utils.video.invalidate()
    before.current = queued
  }, [queued, utils])
}

const isQueued = ({ state }: InboxItem) => state === 'queued'
const isChoosable = ({ state, isMissing }: InboxItem) => state === 'new' && !isMissing

function Recordings({ items }: { items: InboxItem[] }) {
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set())
  const [publishing, setPublishing] = useState<InboxItem[]>()
  const { dismiss, restore } = useInboxActs()
  const choosable = items.filter(isChoosable)
  const selected = choosable.filter(({ id }) => marked.has(id))
  const shown = choosable.slice(0, MAX_BULK_VIDEOS)
  const select = (id: number, isSelected: boolean) =>
    setMarked((old) => new Set(isSelected ? [...old, id] : [...old].filter((one) => one !== id)))
  return (
    <>
      <ul className={`${look('framed', 'card')} ${classes.list}`}>
        {items.map((item) => (
          <InboxRow
            key={item.id}
            item={item}
            isSelected={marked.has(item.id)}
            onSelect={(isSelected) => select(item.id, isSelected)}
            onPublish={() => setPublishing([item])}
            onDismiss={() => dismiss([item])}
            onRestore={() => restore([item.id])}
            onNear={PublishDialog.preload}
          />
        ))}
      </ul>
      {selected.length > 0 && (
        <SelectionBar
          label="Selected recordings"
          count={selected.length}
          rest={shown.length - selected.length}
          onSelectAll={() => setMarked(new Set(shown.map(({ id }) => id)))}
          onClear={() => setMarked(new Set())}
        >
          <Button variant="default" onClick={() => dismiss(selected)}>
            Dismiss selected
          </Button>
          <Button onClick={() => setPublishing(selected)}>Publish selected</Button>
        </SelectionBar>
      )}
      {publishing && (
        <PublishDialog
          items={publishing}
          onDone={() => setMarked(new Set())}
          onClose={() => setPublishing(undefined)}
        />
      )}
    </>
  )
}

function Nothing({ username, show }: { username: string; show: InboxFilter }) {
  if (show === 'dismissed') {
    return (
      <EmptyState heading="h2" drawing={<FilmDrawing />} title="No dismissed recordings">
        Recordings that you dismiss are kept here. Their files stay in your folder.
      </EmptyState>
    )
  }
  if (show === 'unusable') {
    return (
      <EmptyState heading="h2" drawing={<FilmDrawing />} title="All files can be used">
        Files that are damaged or no videos are listed here, with the reason.
      </EmptyState>
    )
  }
  return (
    <EmptyState heading="h2" drawing={<FilmDrawing />} title="No new recordings">
      Save recordings to the folder “{username}” of the shared folder of this site, and they appear
      here.
    </EmptyState>
  )
}
