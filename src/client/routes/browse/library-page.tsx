import { Button } from '@mantine/core'
import {
  IconClock,
  IconHeart,
  IconHistory,
  IconPlaylist,
  IconPlus,
  IconSettings,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentProps, Fragment, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ShelfDrawing } from '../../browse/library/library-drawings.tsx'
import { LibrarySection, SeeAll } from '../../browse/library/library-section.tsx'
import { SHELF_VIDEOS } from '../../browse/library/shelf-size.ts'
import { PlaylistGrid, PlaylistGridSkeleton } from '../../browse/playlist/playlist-grid.tsx'
import { SquadStrip } from '../../browse/squad/squad-strip.tsx'
import { VideoShelf, VideoShelfSkeleton } from '../../browse/video/list/video-shelf.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { trpc } from '../../trpc.ts'

const PlaylistForm = lazyPart(() => import('../../browse/playlist/playlist-form.tsx'))

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const

export function LibraryPage() {
  const viewer = useSession()
  return (
    <div className={stack(24)}>
      <PageTitle title="Library" />
      <div className={row(16, 'between', 'touch')}>
        <h1 className={look('pageHeading')}>Library</h1>
        {viewer && (
          <LinkButton to="/settings" variant="default" leftSection={<IconSettings {...ICON} />}>
            Settings
          </LinkButton>
        )}
      </div>
      {viewer ? <Lists /> : <SignedOut />}
    </div>
  )
}

function SignedOut() {
  const signIn = useSignInLink()
  return (
    <EmptyState
      drawing={<ShelfDrawing />}
      title="Keep what you like"
      action={<LinkButton {...signIn}>Sign in</LinkButton>}
    >
      Sign in to find your history, the videos you saved for later, those you liked and your
      playlists here.
    </EmptyState>
  )
}

function Lists() {
  const history = trpc.history.list.useQuery({ limit: SHELF_VIDEOS })
  const watchLater = trpc.playlist.watchLater.useQuery()
  const liked = trpc.video.listLiked.useQuery({ limit: SHELF_VIDEOS })
  const own = trpc.playlist.listOwn.useQuery({})
  const seen = history.data?.items.map((item) => item.video)
  const saved = watchLater.data === null ? [] : watchLater.data?.videos.slice(0, SHELF_VIDEOS)
  const playlists = own.data?.filter(({ kind }) => kind === 'list')
  const isEmpty = [seen, saved, liked.data?.items, playlists].every((list) => list?.length === 0)
  const shelf = { skeleton: <VideoShelfSkeleton /> }
  // Waits for all queries so that nothing moves when the last response arrives.
  const isPending = [history, watchLater, liked, own].some((list) => list.isPending)
  return (
    <Fragment key={isPending ? 'loading' : 'loaded'}>
      <SquadStrip />
      {isEmpty && !isPending && (
        <EmptyState
          compact
          drawing={<ShelfDrawing />}
          title="Keep what you like"
          action={<LinkButton to="/">Browse videos</LinkButton>}
        >
          Your library fills as you watch.
        </EmptyState>
      )}
      <LibrarySection
        id="history"
        title="History"
        icon={<IconHistory {...ICON} />}
        query={{ ...history, isPending }}
        {...shelf}
        empty={{
          is: seen?.length === 0,
          title: 'Your watch history is empty',
          text: 'What you watch appears here.',
        }}
        action={
          <LinkButton to="/history" variant="subtle">
            <SeeAll what="your history" />
          </LinkButton>
        }
      >
        {seen && <VideoShelf videos={seen} />}
      </LibrarySection>
      <LibrarySection
        id="watch-later"
        title="Watch later"
        icon={<IconClock {...ICON} />}
        query={{ ...watchLater, isPending }}
        {...shelf}
        empty={{
          is: saved?.length === 0,
          title: 'Nothing saved for later',
          text: 'Save a video from the menu on its card.',
        }}
        action={
          <LinkButton to="/playlist/$id" params={{ id: 'watch-later' }} variant="subtle">
            <SeeAll what="Watch later" />
          </LinkButton>
        }
      >
        {saved && <VideoShelf videos={saved} />}
      </LibrarySection>
      <LibrarySection
        id="liked"
        title="Liked videos"
        icon={<IconHeart {...ICON} />}
        query={{ ...liked, isPending }}
        {...shelf}
        empty={{
          is: liked.data?.items.length === 0,
          title: 'No liked videos',
          text: 'Videos you like are listed here.',
        }}
        action={
          <LinkButton to="/playlist/$id" params={{ id: 'liked' }} variant="subtle">
            <SeeAll what="your liked videos" />
          </LinkButton>
        }
      >
        {liked.data && <VideoShelf videos={liked.data.items} />}
      </LibrarySection>
      <Playlists query={{ ...own, isPending }} playlists={playlists} />
    </Fragment>
  )
}

type PlaylistsProps = Pick<ComponentProps<typeof LibrarySection>, 'query'> & {
  playlists: ComponentProps<typeof PlaylistGrid>['playlists'] | undefined
}

function Playlists({ query, playlists }: PlaylistsProps) {
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <LibrarySection
        id="playlists"
        title="Playlists"
        icon={<IconPlaylist {...ICON} />}
        query={query}
        skeleton={<PlaylistGridSkeleton />}
        empty={{
          is: playlists?.length === 0,
          title: 'No playlists yet',
          text: 'Collect videos in lists, for yourself or for everyone.',
        }}
        action={
          <Button
            variant="default"
            leftSection={<IconPlus {...ICON} />}
            onClick={() => setCreating(true)}
          >
            New playlist
          </Button>
        }
      >
        {playlists && <PlaylistGrid playlists={playlists} />}
      </LibrarySection>
      {isCreating && (
        <PlaylistForm
          onClose={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: '/playlist/$id', params: { id: String(id) } })}
        />
      )}
    </>
  )
}
