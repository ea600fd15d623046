import { LinkButton } from '#client/kit/control/link-button.tsx'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { LockDrawing } from '#client/kit/drawings/lock-drawing.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import { VideoGrid, VideoGridSkeleton } from '../video/list/video-grid.tsx'
import { VideoShelf } from '../video/list/video-shelf.tsx'

/** Shows the videos for the squad and those that it loved this week. */
export function SquadVideos({ squad }: { squad: Squad }) {
  const { id, myRole } = squad
  const isIn = myRole !== null
  const videos = trpc.squad.videos.useInfiniteQuery({ id }, { ...nextPage, enabled: isIn })
  const loved = trpc.squad.loved.useQuery({ id }, { enabled: isIn })
  if (!isIn) {
    return (
      <EmptyState drawing={<LockDrawing />} title="For members of the squad">
        Join {squad.name} to see the videos that are for it.
      </EmptyState>
    )
  }
  const items = videos.data?.pages.flatMap((page) => page.items)
  // Waits for both queries so that nothing moves when the second response arrives.
  if (videos.isPending || loved.isPending) return <VideoGridSkeleton />
  if (!items) return <LoadError error={videos.error} onRetry={() => void videos.refetch()} />
  return (
    <div className={stack(24)}>
      {loved.data && loved.data.length > 0 && (
        <section aria-labelledby="squad-loved">
          <h2 id="squad-loved" className={look('heading', 'below4')}>
            Loved this week
          </h2>
          <VideoShelf videos={loved.data} />
        </section>
      )}
      <section aria-labelledby="squad-videos">
        <h2 id="squad-videos" className={look('heading', 'below12')}>
          For the squad
        </h2>
        {items.length === 0 ? (
          <EmptyState
            compact
            drawing={<FilmDrawing />}
            title="No videos for this squad yet"
            action={<LinkButton to="/upload">Upload a video</LinkButton>}
          >
            Choose {squad.name} where a video says who can see it.
          </EmptyState>
        ) : (
          <VideoGrid videos={items} query={videos} heading="h3" />
        )}
      </section>
    </div>
  )
}
