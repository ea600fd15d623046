import { getRouteApi } from '@tanstack/react-router'
import { look } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { NEW_CLIPS_SHOWN } from '#shared/limits.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ClipSection } from '../../browse/clip/clip-section.tsx'
import { foundClips } from '../../browse/queue/clip-queue-key.ts'
import { PlayAll } from '../../browse/queue/play-all.tsx'
import { searchQueue } from '../../browse/queue/queue-key.ts'
import { FoundChannels } from '../../browse/search/found-channels.tsx'
import { FoundSquads } from '../../browse/search/found-squads.tsx'
import { toSearchInput, toSort } from '../../browse/search/search-address.ts'
import { SearchHead } from '../../browse/search/search-head.tsx'
import { CategoryStrip } from '../../browse/video/list/category-strip.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../browse/video/list/video-grid.tsx'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { GlassDrawing } from '../../kit/drawings/glass-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { errorMessage } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import classes from './search-page.module.css'

const SORTS: readonly { value: SearchSort; label: string }[] = [
  { value: 'relevance', label: 'Relevance' },
  { value: 'date', label: 'Upload date' },
  { value: 'views', label: 'Views' },
]

const route = getRouteApi('/shell/search')

type SearchInput = NonNullable<ReturnType<typeof toSearchInput>>

export function SearchPage() {
  const input = toSearchInput(route.useSearch())
  if (input) return <SearchResults input={input} />
  return (
    <>
      <PageTitle title="Search" />
      <EmptyState
        heading="h1"
        drawing={<GlassDrawing />}
        title="Search for videos by title, description, or tags"
      />
    </>
  )
}

function SearchResults({ input }: { input: SearchInput }) {
  const { q, category, sort } = input
  const navigate = route.useNavigate()
  const videos = trpc.search.videos.useInfiniteQuery(input, nextPage)
  // Awaited together, so that results do not move.
  const channels = trpc.search.channels.useQuery({ q })
  const isSignedIn = useSession() !== null
  const squads = trpc.search.squads.useQuery({ q }, { enabled: isSignedIn })
  const clips = trpc.clip.search.useQuery({ q, limit: NEW_CLIPS_SHOWN })
  const hasOthers = [channels.data, squads.data, clips.data?.items].some((found) => found?.length)
  const isPending = videos.isPending || channels.isLoading || squads.isLoading || clips.isLoading
  const items = videos.data?.pages.flatMap((page) => page.items)
  // Filters stay visible without results.
  const hasTools = isPending || items?.length || category
  return (
    <div className={look('widePage')}>
      <PageTitle title={q} />
      <SearchHead
        query={q}
        category={category}
        total={isPending ? undefined : videos.data?.pages[0]?.total}
      >
        {items && items.length > 0 && <PlayAll list={searchQueue(input)} videos={items} />}
        {hasTools && (
          <InlineSelect
            label="Sort by"
            options={SORTS}
            value={sort ?? 'relevance'}
            onChange={(value) =>
              void navigate({
                search: (old) => ({ ...old, sort: toSort(value) }),
                replace: true,
              })
            }
          />
        )}
      </SearchHead>
      {hasTools && (
        <div className={classes.filters}>{(items || category) && <CategoryStrip />}</div>
      )}
      {!isPending && category === undefined && (
        <>
          <FoundChannels channels={channels.data ?? []} />
          <FoundSquads squads={squads.data ?? []} />
        </>
      )}
      {!isPending && category === undefined && (
        <div className={classes.clips}>
          <ClipSection title="Clips" clips={clips.data?.items ?? []} list={foundClips(q)} />
        </div>
      )}
      {isPending && <VideoGridSkeleton maxColumns={4} />}
      {!isPending && !items && (
        <LoadError
          text={`Error searching for videos: ${errorMessage(videos.error)}`}
          error={videos.error}
          onRetry={() => void videos.refetch()}
        />
      )}
      {!isPending &&
        items?.length === 0 &&
        (hasOthers && category === undefined ? (
          <p role="status" className={look('muted')}>
            No videos found
          </p>
        ) : (
          <NothingFound isFiltered={category !== undefined} />
        ))}
      {!isPending && items && items.length > 0 && (
        <VideoGrid videos={items} query={videos} maxColumns={4} />
      )}
    </div>
  )
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      drawing={<GlassDrawing />}
      title="No videos found"
      action={
        isFiltered && (
          <LinkButton
            from="/search"
            to="."
            search={(old) => ({ ...old, category: undefined })}
            variant="default"
          >
            Search all games
          </LinkButton>
        )
      }
    >
      <p>Try different keywords or remove search filters</p>
      <p>Search for videos by title, description, or tags</p>
    </EmptyState>
  )
}
