import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { toCategory } from '../../browse/video/list/category.ts'
import { CategoryStrip } from '../../browse/video/list/category-strip.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../browse/video/list/video-grid.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { errorMessage } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import classes from './home-page.module.css'

const route = getRouteApi('/shell/')

export function HomePage() {
  const category = toCategory(route.useSearch().category)
  const videos = trpc.video.list.useInfiniteQuery(
    { category },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const items = videos.data?.pages.flatMap((page) => page.items)
  const isRefreshing = videos.isRefetching && !videos.isFetchingNextPage
  return (
    <>
      <PageTitle title={category} />
      <h1 className="visually-hidden">{category ? `${category} videos` : 'Videos'}</h1>
      <div className={classes.bar}>
        <CategoryStrip />
        <Button
          variant="default"
          size="sm"
          className={classes.refresh}
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden />}
          disabled={isRefreshing}
          onClick={() => void videos.refetch()}
        >
          <span className={classes.refreshText}>{isRefreshing ? 'Refreshing...' : 'Refresh'}</span>
        </Button>
      </div>
      {videos.isPending && <VideoGridSkeleton />}
      {!videos.isPending && !items && (
        <LoadError
          text={`Error loading videos: ${errorMessage(videos.error)}`}
          onRetry={() => void videos.refetch()}
        />
      )}
      {items?.length === 0 && <NoVideos category={category} />}
      {items && items.length > 0 && <VideoGrid videos={items} query={videos} />}
    </>
  )
}

function NoVideos({ category }: { category: string | undefined }) {
  return (
    <EmptyState
      role="status"
      drawing={<FilmDrawing />}
      title={category ? `No videos found in category ${category}` : 'No videos found'}
      action={<LinkButton to="/upload">Upload a video</LinkButton>}
    >
      Be the first to share a match here.
    </EmptyState>
  )
}
