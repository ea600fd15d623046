import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { look, row, stack, wrapped } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ClockDrawing } from '../../browse/history/clock-drawing.tsx'
import { HistoryControls } from '../../browse/history/history-controls.tsx'
import { HistoryList, HistorySkeleton } from '../../browse/history/history-list.tsx'
import { PlayAll } from '../../browse/queue/play-all.tsx'
import { VideoRow, VideoRowSkeleton } from '../../browse/video/list/video-row.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { LoadMore } from '../../kit/list/load-more.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { trpc } from '../../trpc.ts'
import classes from './history-page.module.css'

const route = getRouteApi('/shell/history')

export function HistoryPage() {
  const signIn = useSignInLink()
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const viewer = useSession()
  const filter = { q }
  const history = trpc.history.list.useInfiniteQuery(filter, {
    enabled: viewer !== null,
    ...nextPage,
    placeholderData: keepPreviousData,
  })
  const items = history.data?.pages.flatMap((page) => page.items)
  const setFilter = (text: string) =>
    void navigate({ search: text ? { q: text } : {}, replace: true })
  return (
    <div className={`${stack(16)} ${classes.page}`}>
      <PageTitle title="Watch History" />
      <h1 className={`${classes.heading} ${look('pageHeading')}`}>Watch History</h1>
      <aside className={classes.controls} aria-label="History controls">
        <HistoryControls
          q={q ?? ''}
          onFilter={setFilter}
          isSignedIn={viewer !== null}
          isAnyWatched={q !== undefined || (items !== undefined && items.length > 0)}
        />
      </aside>
      <div className={classes.list} data-stale={history.isPlaceholderData || undefined}>
        {!viewer && (
          <NothingWatched action={<LinkButton {...signIn}>Sign in</LinkButton>}>
            Sign in to keep what you watch, and to go on where you left off.
          </NothingWatched>
        )}
        {viewer && history.isPending && (
          <HistorySkeleton row={<VideoRowSkeleton hasDescription />} />
        )}
        {viewer && history.isError && !items && (
          <LoadError error={history.error} onRetry={() => void history.refetch()} />
        )}
        {items?.length === 0 && q === undefined && (
          <NothingWatched>What you watch appears here.</NothingWatched>
        )}
        {items?.length === 0 && q !== undefined && (
          <EmptyState
            role="status"
            drawing={<ClockDrawing />}
            title={`Nothing you watched matches "${q}"`}
            action={<Button onClick={() => setFilter('')}>Show everything</Button>}
          >
            Only titles are searched.
          </EmptyState>
        )}
        {items && items.length > 0 && q === undefined && (
          <div className={row(8, 'stretch', 'below16')}>
            <PlayAll list="history" videos={items.map(({ video }) => video)} />
          </div>
        )}
        {items && items.length > 0 && (
          <HistoryList
            items={items}
            renderItem={({ video, positionSeconds }, buttons) => (
              <VideoRow video={video} positionSeconds={positionSeconds} hasDescription>
                {buttons}
              </VideoRow>
            )}
          />
        )}
        {items && <LoadMore query={history} />}
        {history.isFetchingNextPage && (
          <HistorySkeleton row={<VideoRowSkeleton hasDescription />} />
        )}
      </div>
    </div>
  )
}

function NothingWatched({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <EmptyState
      role="status"
      drawing={<ClockDrawing />}
      title="Your watch history is empty"
      action={
        <div className={wrapped(12, 'middle')}>
          {action}
          <LinkButton to="/" variant={action ? 'default' : 'filled'}>
            Browse videos
          </LinkButton>
        </div>
      }
    >
      {children}
    </EmptyState>
  )
}
