import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import { ClipGrid, ClipGridSkeleton } from '../clip/clip-list.tsx'
import { howToClip } from '../clip/how-to-clip.ts'
import { clipsOfChannel } from '../queue/clip-queue-key.ts'
import { PlayAll } from '../queue/play-all.tsx'

export function useChannelClips(channelId: number) {
  return trpc.clip.ofChannel.useInfiniteQuery({ id: channelId }, nextPage)
}

/** Made by the channel, or of its videos. */
export function ChannelClips({ channelId }: { channelId: number }) {
  const list = clipsOfChannel(channelId)
  const clips = useChannelClips(channelId)
  const items = clips.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <div className={row(8, 'wrap', 'touch', 'below16')}>
        <h2 className={look('marginEndAuto', 'size22')}>Clips</h2>
        {items && items.length > 1 && <PlayAll list={list} videos={items} noun="clip" />}
      </div>
      {clips.isPending && <ClipGridSkeleton />}
      {!clips.isPending && !items && (
        <LoadError
          text={`Error loading clips: ${errorSentence(clips.error)}`}
          error={clips.error}
          onRetry={() => void clips.refetch()}
        />
      )}
      {items?.length === 0 && (
        <EmptyState drawing={<FilmDrawing />} title="No clips yet">
          {howToClip()} on any video to make one.
        </EmptyState>
      )}
      {items && items.length > 0 && <ClipGrid clips={items} list={list} query={clips} />}
    </>
  )
}
