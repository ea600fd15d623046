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
import { type ReactNode, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ClockDrawing } from '../../browse/history/clock-drawing.tsx'
import {
  HeartDrawing,
  HourglassDrawing,
  ShelfDrawing,
} from '../../browse/library/library-drawings.tsx'
import { LibrarySection, SeeAll } from '../../browse/library/library-section.tsx'
import { SHELF_VIDEOS } from '../../browse/library/shelf-size.ts'
import { ListDrawing } from '../../browse/playlist/list-drawing.tsx'
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
  const shelf = { skeleton: <VideoShelfSkeleton /> }
  return (
    <>
      <SquadStrip />
      <LibrarySection
        id="history"
        title="History"
        icon={<IconHistory {...ICON} />}
        query={history}
        {...shelf}
        action={
          <LinkButton to="/history" variant="subtle">
            <SeeAll what="your history" />
          </LinkButton>
        }
      >
        <Shelf
          videos={history.data?.items.map((item) => item.video)}
          drawing={<ClockDrawing />}
          title="Your watch history is empty"
        >
          What you watch appears here.
        </Shelf>
      </LibrarySection>
      <LibrarySection
        id="watch-later"
        title="Watch later"
        icon={<IconClock {...ICON} />}
        query={watchLater}
        {...shelf}
        action={
          <LinkButton to="/playlist/$id" params={{ id: 'watch-later' }} variant="subtle">
            <SeeAll what="Watch later" />
          </LinkButton>
        }
      >
        <Shelf
          videos={watchLater.data === null ? [] : watchLater.data?.videos.slice(0, SHELF_VIDEOS)}
          drawing={<HourglassDrawing />}
          title="Nothing saved for later"
        >
          Save a video from the menu on its card.
        </Shelf>
      </LibrarySection>
      <LibrarySection
        id="liked"
        title="Liked videos"
        icon={<IconHeart {...ICON} />}
        query={liked}
        {...shelf}
        action={
          <LinkButton to="/playlist/$id" params={{ id: 'liked' }} variant="subtle">
            <SeeAll what="your liked videos" />
          </LinkButton>
        }
      >
        <Shelf videos={liked.data?.items} drawing={<HeartDrawing />} title="No liked videos">
          Videos you like are listed here.
        </Shelf>
      </LibrarySection>
      <Playlists />
    </>
  )
}

type ShelfProps = {
  videos: Parameters<typeof VideoShelf>[0]['videos'] | undefined
  drawing: ReactNode
  title: string
  children: ReactNode
}

function Shelf({ videos, drawing, title, children }: ShelfProps) {
  if (!videos) return null
  if (videos.length > 0) return <VideoShelf videos={videos} />
  return (
    <EmptyState compact drawing={drawing} title={title}>
      {children}
    </EmptyState>
  )
}

function Playlists() {
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const own = trpc.playlist.listOwn.useQuery({})
  const playlists = own.data?.filter(({ kind }) => kind === 'list')
  return (
    <LibrarySection
      id="playlists"
      title="Playlists"
      icon={<IconPlaylist {...ICON} />}
      query={own}
      skeleton={<PlaylistGridSkeleton />}
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
      {playlists?.length === 0 && (
        <EmptyState compact drawing={<ListDrawing />} title="No playlists yet">
          Collect videos in lists, for yourself or for everyone.
        </EmptyState>
      )}
      {playlists && playlists.length > 0 && <PlaylistGrid playlists={playlists} />}
      {isCreating && (
        <PlaylistForm
          onClose={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: '/playlist/$id', params: { id: String(id) } })}
        />
      )}
    </LibrarySection>
  )
}
