import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import { VideoGrid, VideoGridSkeleton } from '../video/list/video-grid.tsx'

export function useAppearances(channelId: number) {
  return trpc.participant.appearances.useInfiniteQuery({ id: channelId }, nextPage)
}

export function Appearances({ channelId }: { channelId: number }) {
  const videos = useAppearances(channelId)
  const items = videos.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <h2 className="visually-hidden">Appears in</h2>
      {videos.isPending && <VideoGridSkeleton />}
      {!videos.isPending && !items && (
        <LoadError
          text={`Error loading videos: ${errorSentence(videos.error)}`}
          error={videos.error}
          onRetry={() => void videos.refetch()}
        />
      )}
      {items?.length === 0 && <EmptyState drawing={<FilmDrawing />} title="No videos yet" />}
      {items && items.length > 0 && <VideoGrid videos={items} query={videos} heading="h3" />}
    </>
  )
}
