import { IconX } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { notifyDone } from '#client/platform/notify-outcome.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { posterOf } from '#shared/poster.ts'
import type { PlaylistWithVideos } from '#shared/schemas/library.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { HeartDrawing, HourglassDrawing } from '../../browse/library/library-drawings.tsx'
import { ListDrawing } from '../../browse/playlist/list-drawing.tsx'
import { OwnerActions } from '../../browse/playlist/owner-actions.tsx'
import { PlaylistFacts } from '../../browse/playlist/playlist-facts.tsx'
import { PlaylistHead, PlaylistHeadSkeleton } from '../../browse/playlist/playlist-head.tsx'
import { usePlaylistChanges } from '../../browse/playlist/use-playlist-changes.ts'
import { ResumableRow } from '../../browse/video/list/resumable-row.tsx'
import { VideoRowSkeleton } from '../../browse/video/list/video-row.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { LostDrawing } from '../../kit/drawings/lost-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { LoadMore } from '../../kit/list/load-more.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { SortableList } from '../../kit/sortable/sortable-list.tsx'
import { errorStatus, serverSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { passFocusOnRemoval } from '../../platform/pass-focus-on-removal.ts'
import { trpc } from '../../trpc.ts'
import { parseVideoId } from '../../watch/player/video-id.ts'
import { useWatchTogether } from '../../watch/watch-room/use-watch-together.ts'
import classes from './playlist-page.module.css'

const SKELETONS = [0, 1, 2, 3, 4]

/** Also 'Watch later' and liked videos. */
export function PlaylistPage() {
  const { id } = useParams({ from: '/shell/playlist/$id' })
  const viewer = useSession()
  if (id === 'watch-later') return viewer ? <WatchLater /> : <SignedOut title="Watch later" />
  if (id === 'liked') return viewer ? <LikedVideos /> : <SignedOut title="Liked videos" />
  const number = parseVideoId(id)
  return number === undefined ? <NoPlaylist /> : <OnePlaylist id={number} />
}

function OnePlaylist({ id }: { id: number }) {
  const viewer = useSession()
  const query = trpc.playlist.get.useInfiniteQuery({ id }, nextPage)
  const playlist = joinPages(query.data?.pages)
  if (playlist) {
    return (
      <ListPage playlist={playlist} isOwn={playlist.userId === viewer?.id}>
        <LoadMore query={query} />
      </ListPage>
    )
  }
  if (query.isPending) return <PlaylistSkeleton />
  if (errorStatus(query.error) === 404) return <NoPlaylist />
  return <LoadError heading="h1" error={query.error} onRetry={() => void query.refetch()} />
}

function WatchLater() {
  const query = trpc.playlist.watchLater.useInfiniteQuery({}, nextPage)
  const playlist = joinPages(query.data?.pages)
  if (playlist) {
    return (
      <ListPage playlist={playlist} isOwn>
        <LoadMore query={query} />
      </ListPage>
    )
  }
  if (query.data) return <NothingForLater />
  if (query.isPending) return <PlaylistSkeleton />
  return <LoadError heading="h1" error={query.error} onRetry={() => void query.refetch()} />
}

/** Undefined without a list. */
function joinPages(
  pages: (PlaylistWithVideos | null)[] | undefined,
): PlaylistWithVideos | undefined {
  const parts = pages?.filter((page) => page !== null) ?? []
  const last = parts.at(-1)
  return last && { ...last, videos: parts.flatMap(({ videos }) => videos) }
}

/** The list is created with its first video. */
function NothingForLater() {
  return (
    <div className={classes.page}>
      <PageTitle title="Watch later" />
      <PlaylistHead
        title="Watch later"
        pictureUrl={null}
        facts={<span>Only you see this list.</span>}
        list="watch-later"
        videos={[]}
      />
      <section className={look('shrink')} aria-label="Videos">
        <NothingSaved />
      </section>
    </div>
  )
}

function NothingSaved() {
  return (
    <EmptyState
      drawing={<HourglassDrawing />}
      title="Nothing saved for later"
      action={<BrowseLink />}
    >
      Add videos from the menu on their cards.
    </EmptyState>
  )
}

type ListPageProps = { playlist: PlaylistWithVideos; isOwn: boolean; children: ReactNode }

function ListPage({ playlist, isOwn, children }: ListPageProps) {
  const { title, description, thumbnailUrl, videos, kind } = playlist
  const listKey = kind === 'watch-later' ? kind : String(playlist.id)
  const changes = usePlaylistChanges(playlist)
  const isSignedIn = useSession() !== null
  const together = useWatchTogether({ playlistId: playlist.id }, { isSignedIn })
  return (
    <div className={classes.page}>
      <PageTitle title={title} />
      <PlaylistHead
        title={title}
        description={description}
        pictureUrl={videos[0] ? posterOf(videos[0]).src : thumbnailUrl}
        facts={<PlaylistFacts playlist={playlist} isOwn={isOwn} />}
        list={listKey}
        videos={videos}
      >
        {isOwn && kind === 'list' && <OwnerActions playlist={playlist} />}
        {videos.length > 0 && <RowMenu label="More actions" items={[together]} />}
      </PlaylistHead>
      <section className={look('shrink')} aria-label="Videos">
        {videos.length === 0 && kind === 'watch-later' && <NothingSaved />}
        {videos.length === 0 && kind === 'list' && (
          <EmptyState
            drawing={<ListDrawing />}
            title="This playlist is empty"
            action={isOwn && <BrowseLink />}
          >
            {isOwn
              ? 'Add videos from the menu on their cards.'
              : 'Its owner has not added anything yet.'}
          </EmptyState>
        )}
        {isOwn ? (
          <SortableList
            items={videos}
            onMove={changes.move}
            renderItem={(video, handle) => (
              <div className={classes.entry}>
                {handle}
                <ResumableRow list={videos} video={video} queue={listKey} heading="h2">
                  <RemoveButton
                    label={`Remove from ${title}`}
                    onPress={() => changes.remove(video.id)}
                  />
                </ResumableRow>
              </div>
            )}
          />
        ) : (
          <ol className={stack(16)}>
            {videos.map((video) => (
              <li key={video.id}>
                <ResumableRow list={videos} video={video} queue={listKey} heading="h2" />
              </li>
            ))}
          </ol>
        )}
        {children}
      </section>
    </div>
  )
}

function LikedVideos() {
  const utils = trpc.useUtils()
  const query = trpc.video.listLiked.useInfiniteQuery({}, nextPage)
  const videos = query.data?.pages.flatMap((page) => page.items)
  const clear = trpc.like.clear.useMutation({
    onSuccess: notifyDone('Removed from your liked videos', () => utils.video.invalidate()),
    onError: (error) =>
      notify({
        tone: 'error',
        title: 'Error',
        message: `Failed to save rating: ${serverSentence(error)}`,
      }),
  })
  if (query.isPending) return <PlaylistSkeleton />
  if (!videos) {
    return <LoadError heading="h1" error={query.error} onRetry={() => void query.refetch()} />
  }
  return (
    <div className={classes.page}>
      <PageTitle title="Liked videos" />
      <PlaylistHead
        title="Liked videos"
        pictureUrl={videos[0] ? posterOf(videos[0]).src : null}
        facts={<span>Only you see this list.</span>}
        list="liked"
        videos={videos}
      />
      <section className={look('shrink')} aria-label="Videos">
        {videos.length === 0 && (
          <EmptyState drawing={<HeartDrawing />} title="No liked videos" action={<BrowseLink />}>
            Videos you like are listed here.
          </EmptyState>
        )}
        <ul className={stack(16)}>
          {videos.map((video) => (
            <li key={video.id} ref={passFocusOnRemoval}>
              <ResumableRow list={videos} video={video} queue="liked" heading="h2">
                <RemoveButton
                  label="Remove from liked videos"
                  onPress={() => clear.mutate({ videoId: video.id })}
                />
              </ResumableRow>
            </li>
          ))}
          {query.isFetchingNextPage && <VideoRowSkeleton />}
        </ul>
        <LoadMore query={query} />
      </section>
    </div>
  )
}

function BrowseLink() {
  return <LinkButton to="/">Browse videos</LinkButton>
}

function SignedOut({ title }: { title: string }) {
  const signIn = useSignInLink()
  return (
    <Notice drawing={<ListDrawing />} title={title}>
      <LinkButton {...signIn}>Sign in to see it</LinkButton>
    </Notice>
  )
}

function NoPlaylist() {
  return (
    <Notice
      drawing={<LostDrawing />}
      title="Playlist not found"
      text="It may have been deleted, or be private."
    >
      <LinkButton to="/">Return to Home</LinkButton>
    </Notice>
  )
}

type NoticeProps = { drawing: ReactNode; title: string; text?: string; children: ReactNode }

function Notice({ drawing, title, text, children }: NoticeProps) {
  return (
    <>
      <PageTitle title={title} />
      <EmptyState role="status" heading="h1" drawing={drawing} title={title} action={children}>
        {text}
      </EmptyState>
    </>
  )
}

function PlaylistSkeleton() {
  return (
    <div className={classes.page} role="status" aria-label="Loading playlist">
      <h1 className="visually-hidden">Playlist</h1>
      <PlaylistHeadSkeleton />
      <div className={look('shrink')}>
        <div className={stack(16)}>
          {SKELETONS.map((index) => (
            <VideoRowSkeleton key={index} />
          ))}
        </div>
      </div>
    </div>
  )
}

function RemoveButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <IconButton radius="xl" aria-label={label} onClick={onPress}>
      <IconX size={20} stroke={1.75} aria-hidden />
    </IconButton>
  )
}
