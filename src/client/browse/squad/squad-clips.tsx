import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import { ClipGrid, ClipGridSkeleton } from '../clip/clip-list.tsx'

/** Lists the clips that members of the squad made and the viewer may watch. */
export function SquadClips({ squadId }: { squadId: number }) {
  const clips = trpc.squad.clips.useInfiniteQuery({ id: squadId, limit: 24 }, nextPage)
  const items = clips.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <h2 className="visually-hidden">Clips</h2>
      {clips.isPending && <ClipGridSkeleton />}
      {!clips.isPending && !items && (
        <LoadError error={clips.error} onRetry={() => void clips.refetch()} />
      )}
      {items?.length === 0 && (
        <EmptyState drawing={<FilmDrawing />} title="No clips yet">
          Clips that its members make are shown here.
        </EmptyState>
      )}
      {items && items.length > 0 && <ClipGrid clips={items} query={clips} />}
    </>
  )
}
