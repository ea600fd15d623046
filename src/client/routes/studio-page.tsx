import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { ShareTool } from '#client/kit/sharing/share-tool.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { useSession } from '../account/auth/use-session.ts'
import { CutTool } from '../create/cut/cut-tool.tsx'
import { type StudioAddress, toStudioInput } from '../create/studio/list/studio-address.ts'
import { StudioGrid, StudioGridSkeleton } from '../create/studio/list/studio-grid.tsx'
import { StudioToolbar } from '../create/studio/list/studio-toolbar.tsx'
import { LinkButton } from '../kit/control/link-button.tsx'
import { SectionTabs } from '../kit/control/section-tabs.tsx'
import { FilmDrawing } from '../kit/drawings/film-drawing.tsx'
import { UnpluggedDrawing } from '../kit/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { LoadMore } from '../kit/list/load-more.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { trpc } from '../trpc.ts'
import classes from './studio-page.module.css'

const route = getRouteApi('/shell/studio')

const Analytics = lazyPart(
  async () => ({ default: (await import('../create/studio/analytics/analytics.tsx')).Analytics }),
  <PageSpinner />,
)

const StudioClips = lazyPart(() => import('./studio-clips.tsx'), <PageSpinner />)
const HeldStorage = lazyPart(
  () => import('../create/studio/held/held-storage.tsx'),
  <PageSpinner />,
)
const Inbox = lazyPart(() => import('../create/inbox/inbox.tsx'), <PageSpinner />)

const CLIPS_TAB = { id: 'clips', label: 'Clips' } as const
const STORAGE_TAB = { id: 'storage', label: 'Storage' } as const
const VIDEOS_TAB = { id: 'videos', label: 'Your Videos' } as const
/** A channel without videos has no analytics. */
const COMING_TAB = { id: 'analytics', label: 'Analytics (Coming Soon)', isDisabled: true } as const
const ANALYTICS_TAB = { id: 'analytics', label: 'Analytics' } as const

const inboxTab = (waiting: number) =>
  ({ id: 'inbox', label: waiting > 0 ? `Inbox (${waiting})` : 'Inbox' }) as const

export function StudioPage() {
  const user = useSession()
  const { tab, video, show = 'open' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: state } = trpc.analytics.state.useQuery()
  const inbox = trpc.inbox.state.useQuery().data
  const hasVideos = state?.hasVideos === true
  const isThere =
    tab === 'clips' ||
    tab === 'storage' ||
    (hasVideos && tab === 'analytics') ||
    (inbox?.isOn === true && tab === 'inbox')
  const current = isThere ? tab : 'videos'
  const go = (search: StudioAddress) => void navigate({ search, replace: true, resetScroll: false })
  return (
    <>
      <PageTitle title="Content Studio" />
      <header className={`${row([12, 24], 'wrap', 'between', 'below16')} ${classes.head}`}>
        <div>
          <h1 className={look('pageHeading')}>Content Studio</h1>
          <p className={look('muted')}>Manage and edit your uploaded videos</p>
        </div>
        <LinkButton
          to="/upload"
          // The empty studio has an act of its own.
          variant={hasVideos ? 'filled' : 'default'}
          className={classes.upload}
          leftSection={<IconUpload size={18} stroke={1.75} aria-hidden />}
        >
          Upload New Video
        </LinkButton>
      </header>
      <SectionTabs
        label="Content Studio"
        tabs={[
          VIDEOS_TAB,
          ...(inbox?.isOn ? [inboxTab(inbox.waiting)] : []),
          CLIPS_TAB,
          hasVideos ? ANALYTICS_TAB : COMING_TAB,
          STORAGE_TAB,
        ]}
        current={current}
        onChange={(id) => go(id === 'videos' ? {} : { tab: id })}
      >
        {user && current === 'videos' && <OwnVideos userId={user.id} />}
        {user && current === 'inbox' && (
          <Inbox
            username={user.username}
            show={show}
            onShow={(next) => go({ tab: 'inbox', ...(next !== 'open' && { show: next }) })}
          />
        )}
        {current === 'clips' && <StudioClips />}
        {current === 'storage' && <HeldStorage />}
        {current === 'analytics' && (
          <Analytics
            videoId={video === undefined ? undefined : Number(video)}
            onVideo={(id) =>
              go({ tab: 'analytics', ...(id !== undefined && { video: String(id) }) })
            }
          />
        )}
      </SectionTabs>
    </>
  )
}

function OwnVideos({ userId }: { userId: number }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const change = (search: StudioAddress) => void navigate({ search, replace: true })
  const { state, q } = address
  const videos = trpc.video.listByUser.useInfiniteQuery(toStudioInput(userId, address), nextPage)
  const isFiltered = state !== undefined || q !== undefined
  const items = videos.data?.pages.flatMap((page) => page.items)
  if (items?.length === 0 && !isFiltered) return <NoVideos />
  return (
    <>
      <StudioToolbar address={address} onChange={change} />
      {videos.isPending && <StudioGridSkeleton />}
      {!videos.isPending && !items && <NotLoaded onRetry={() => void videos.refetch()} />}
      {items?.length === 0 && <NoMatch onClear={() => change({ view: address.view })} />}
      {items && items.length > 0 && (
        <>
          <StudioGrid
            videos={items}
            isGrowing={videos.isFetchingNextPage}
            isTable={address.view === 'table'}
            renderTools={(video, className) => (
              <>
                <CutTool video={video} className={className} />
                <ShareTool video={video} className={className} />
              </>
            )}
          />
          <LoadMore query={videos} />
        </>
      )}
    </>
  )
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      role="alert"
      heading="h2"
      drawing={<UnpluggedDrawing />}
      title="Failed to load your videos"
      action={
        <Button variant="default" onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      <p>There was an error loading your content</p>
      <p>Failed to fetch videos</p>
    </EmptyState>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      heading="h2"
      drawing={<FilmDrawing />}
      title="No videos found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      None of your videos matches these filters
    </EmptyState>
  )
}

function NoVideos() {
  return (
    <EmptyState
      heading="h2"
      drawing={<FilmDrawing />}
      title="No videos yet"
      action={<LinkButton to="/upload">Upload a Video</LinkButton>}
    >
      Start your channel by uploading your first video
    </EmptyState>
  )
}
