import { Skeleton } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { Fragment, useLayoutEffect } from 'react'
import { nextPage } from '#client/platform/next-page.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { howToClip } from '../../browse/clip/how-to-clip.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { trpc } from '../../trpc.ts'
import { ClipFeed } from '../../watch/clip/feed/clip-feed.tsx'
import { endPlayer } from '../../watch/player/host/hosted-player.ts'
import { PageLive } from '../watch/page-live.tsx'
import classes from './clips-page.module.css'

const CommentsSheet = lazyPart(() => import('../watch/comments-sheet.tsx'))
const WatchComments = lazyPart(async () => {
  const { WatchComments } = await import('../watch/watch-comments.tsx')
  return { default: WatchComments }
})
const PATH = '/clips'
const route = getRouteApi('/shell/clips')

export function ClipsPage() {
  const viewer = useSession()
  const { at } = route.useSearch()
  const navigate = route.useNavigate()
  const { history } = useRouter()
  const clips = trpc.clip.newest.useInfiniteQuery({}, nextPage)
  // Otherwise two players would sound at once.
  useLayoutEffect(endPlayer, [])
  const items = clips.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <PageTitle title="Clips" />
      <h1 className="visually-hidden">Clips</h1>
      {clips.isPending && (
        <div className={classes.waiting} role="status" aria-label="Loading clips">
          <Skeleton className={classes.skeleton} />
        </div>
      )}
      {!clips.isPending && !items && (
        <LoadError error={clips.error} onRetry={() => void clips.refetch()} />
      )}
      {items?.length === 0 && <NoClips />}
      {items && items.length > 0 && (
        <ClipFeed
          clips={items}
          startId={at === undefined ? undefined : Number(at)}
          isSignedIn={viewer !== null}
          isComplete={!clips.hasNextPage}
          onNearEnd={() => void clips.fetchNextPage()}
          onClip={(id) => {
            // Still rendered while the next page loads, whose entry it must not replace.
            if (history.location.pathname !== PATH) return
            void navigate({ search: { at: String(id) }, replace: true, resetScroll: false })
          }}
          onClose={() => {
            if (history.canGoBack()) history.back()
            else void navigate({ to: '/' })
          }}
          renderComments={({ id, video, startSeconds, endSeconds }, { isBeside, ...on }) => {
            const about = { video, clipId: id, seconds: endSeconds - startSeconds }
            return (
              <Fragment key={id}>
                <PageLive videoId={video.id} clipId={id} />
                {isBeside ? (
                  <WatchComments {...about} onSeek={on.onSeek} />
                ) : (
                  <CommentsSheet {...about} {...on} />
                )}
              </Fragment>
            )
          }}
        />
      )}
    </>
  )
}

function NoClips() {
  return (
    <EmptyState
      role="status"
      drawing={<FilmDrawing />}
      title="No clips yet"
      action={<LinkButton to="/">Find a video</LinkButton>}
    >
      {howToClip()} while you watch, and the last seconds become the first clip here.
    </EmptyState>
  )
}
