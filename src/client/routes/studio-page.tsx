import { IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../components/button.tsx'
import { FilmDrawing, UnpluggedDrawing } from '../components/drawings.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useSession } from '../features/auth/use-session.ts'
import { StudioGrid, StudioGridSkeleton } from '../features/studio/studio-grid.tsx'
import { errorMessage } from '../lib/error-message.ts'
import { trpc } from '../trpc.ts'
import classes from './studio-page.module.css'

const TABS = [
  { id: 'videos', label: 'Your Videos' },
  { id: 'analytics', label: 'Analytics (Coming Soon)', isDisabled: true },
] as const

export function StudioPage() {
  const user = useSession()
  return (
    <>
      <PageTitle title="Content Studio" />
      <header className={classes.head}>
        <div>
          <h1 className={classes.heading}>Content Studio</h1>
          <p className={classes.subtitle}>Manage and edit your uploaded videos</p>
        </div>
        <Link to="/upload" className={buttonClass({}, classes.upload)}>
          <IconUpload size={18} stroke={1.75} aria-hidden />
          Upload New Video
        </Link>
      </header>
      <Tabs label="Content Studio" tabs={TABS} current="videos" onChange={() => {}}>
        {user && <OwnVideos userId={user.id} />}
      </Tabs>
    </>
  )
}

function OwnVideos({ userId }: { userId: number }) {
  const videos = trpc.video.listByUser.useInfiniteQuery(
    { id: userId },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const items = videos.data?.pages.flatMap((page) => page.items)
  if (videos.isPending) return <StudioGridSkeleton />
  if (!items) return <NotLoaded error={videos.error} onRetry={() => void videos.refetch()} />
  if (items.length === 0) return <NoVideos />
  return (
    <>
      <StudioGrid videos={items} isGrowing={videos.isFetchingNextPage} />
      <LoadMore query={videos} />
    </>
  )
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
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
      <p>{errorMessage(error)}</p>
    </EmptyState>
  )
}

function NoVideos() {
  return (
    <EmptyState
      heading="h2"
      drawing={<FilmDrawing />}
      title="No videos yet"
      action={
        <Link to="/upload" className={buttonClass()}>
          Upload a Video
        </Link>
      }
    >
      Start your channel by uploading your first video
    </EmptyState>
  )
}
