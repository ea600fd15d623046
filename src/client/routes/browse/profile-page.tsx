import { Skeleton } from '@mantine/core'
import { IconFlag, IconSettings } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { Appearances, useAppearances } from '../../browse/channel/appearances.tsx'
import { ChannelAbout } from '../../browse/channel/channel-about.tsx'
import { ChannelClips, useChannelClips } from '../../browse/channel/channel-clips.tsx'
import { ChannelHeader, ChannelHeaderSkeleton } from '../../browse/channel/channel-header.tsx'
import { CHANNEL_TABS, type ChannelTab, toChannelTab } from '../../browse/channel/channel-tab.ts'
import { EmptyTab } from '../../browse/channel/empty-tab.tsx'
import { ClipRow } from '../../browse/clip/clip-row.tsx'
import { ChannelCardsSkeleton } from '../../browse/feed/channel-cards.tsx'
import { PlaylistGrid, PlaylistGridSkeleton } from '../../browse/playlist/playlist-grid.tsx'
import { PlayAll } from '../../browse/queue/play-all.tsx'
import { channelQueue } from '../../browse/queue/queue-key.ts'
import { SubscribeButton } from '../../browse/subscription/subscribe-button.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../browse/video/list/video-grid.tsx'
import { VideoRow } from '../../browse/video/list/video-row.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { SectionTabs } from '../../kit/control/section-tabs.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { LostDrawing } from '../../kit/drawings/lost-drawing.tsx'
import { StackDrawing } from '../../kit/drawings/stack-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { RichText } from '../../kit/video/rich-text.tsx'
import { errorMessage, errorStatus } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { CommentsSkeleton } from '../../watch/comment/comments.tsx'
import { SpeechDrawing } from '../../watch/comment/speech-drawing.tsx'
import { parseVideoId } from '../../watch/player/video-id.ts'
import { ReportButton } from '../../watch/report/report-button.tsx'

const ChannelPosts = lazyPart(
  () => import('../../watch/post/channel-posts.tsx'),
  <CommentsSkeleton />,
)
const FeaturedChannels = lazyPart(
  () => import('../../browse/channel/featured-channels.tsx'),
  <ChannelCardsSkeleton />,
)
const ChannelSquads = lazyPart(() => import('../../browse/squad/channel-squads.tsx'), null)
const AdminMenu = lazyPart(() => import('../../kit/admin/admin-menu.tsx'))

const route = getRouteApi('/shell/profile/$id')

export function ProfilePage() {
  const id = parseVideoId(route.useParams().id)
  const channel = trpc.user.get.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  if (channel.data) return <Profile key={channel.data.id} channel={channel.data} />
  if (id === undefined || errorStatus(channel.error) === 404) return <ProfileNotFound />
  if (channel.isPending) return <ProfileSkeleton />
  return (
    <>
      <PageTitle title="Channel" />
      <LoadError heading="h1" error={channel.error} onRetry={() => void channel.refetch()} />
    </>
  )
}

function Profile({ channel }: { channel: User }) {
  const viewer = useSession()
  const navigate = route.useNavigate()
  const tab = toChannelTab(route.useSearch().tab)
  const isOwn = viewer?.id === channel.id
  const appearances = useAppearances(channel.id)
  const hasAppearances = (appearances.data?.pages[0]?.items.length ?? 0) > 0
  const clips = useChannelClips(channel.id)
  const hasClips = (clips.data?.pages[0]?.items.length ?? 0) > 0
  const isTabShown = (id: ChannelTab) =>
    id === tab || (id === 'clips' ? hasClips : id !== 'appearances' || hasAppearances)
  return (
    <div className={look('widePage')}>
      <PageTitle title={channel.displayName} />
      <ChannelHeader
        channel={channel}
        squads={viewer && <ChannelSquads channelId={channel.id} />}
        action={
          isOwn ? (
            <EditLink />
          ) : (
            <div className={row(8)}>
              <SubscribeButton channel={channel} isSignedIn={viewer !== null} />
              {viewer && (
                <ReportButton
                  target={{ channelId: channel.id }}
                  noun="channel"
                  icon={<IconFlag size={20} stroke={1.75} aria-hidden />}
                />
              )}
              {viewer?.isAdmin && (
                <AdminMenu
                  subject={{ channel }}
                  viewerId={viewer.id}
                  label={`Actions for ${channel.displayName}`}
                />
              )}
            </div>
          )
        }
      />
      <SectionTabs
        label="Channel"
        tabs={CHANNEL_TABS.filter(({ id }) => isTabShown(id))}
        current={tab}
        onChange={(id) =>
          void navigate({
            search: id === 'videos' ? {} : { tab: id },
            replace: true,
            resetScroll: false,
          })
        }
      >
        {tab === 'appearances' && <Appearances channelId={channel.id} />}
        {tab === 'videos' && <Uploads channelId={channel.id} isOwn={isOwn} />}
        {tab === 'clips' && <ChannelClips channelId={channel.id} />}
        {tab === 'playlists' && <Playlists channelId={channel.id} />}
        {tab === 'community' && (
          <ChannelPosts
            context={{
              channelId: channel.id,
              viewer,
              renderVideo: (video) => <VideoRow video={video} />,
              renderClip: (clip) => <ClipRow clip={clip} />,
            }}
            empty={
              <EmptyTab
                what="community posts"
                drawing={<SpeechDrawing />}
                ownText={isOwn && 'Your first post will be shown here.'}
              />
            }
          />
        )}
        {tab === 'channels' && <FeaturedChannels channelId={channel.id} viewerId={viewer?.id} />}
        {tab === 'about' && (
          <ChannelAbout
            channel={channel}
            renderText={(text) => <RichText text={text} durationSeconds={-1} onSeek={() => {}} />}
          />
        )}
      </SectionTabs>
    </div>
  )
}

function EditLink() {
  const icon = <IconSettings size={18} stroke={1.75} aria-hidden />
  return (
    <LinkButton to="/settings" variant="default" leftSection={icon}>
      Edit channel
    </LinkButton>
  )
}

function Uploads({ channelId, isOwn }: { channelId: number; isOwn: boolean }) {
  const videos = trpc.video.listByUser.useInfiniteQuery({ id: channelId }, nextPage)
  const items = videos.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <div className={row(8, 'wrap', 'below16')}>
        <h2 className={look('marginEndAuto', 'size22')}>Uploads</h2>
        <PlayAll list={channelQueue(channelId)} videos={items ?? []} />
      </div>
      {videos.isPending && <VideoGridSkeleton isOnChannel />}
      {!videos.isPending && !items && (
        <LoadError
          text={`Error loading videos: ${errorMessage(videos.error)}`}
          error={videos.error}
          onRetry={() => void videos.refetch()}
        />
      )}
      {items?.length === 0 && <NoUploads isOwn={isOwn} />}
      {items && items.length > 0 && (
        <VideoGrid videos={items} query={videos} heading="h3" isOnChannel />
      )}
    </>
  )
}

function NoUploads({ isOwn }: { isOwn: boolean }) {
  return (
    <EmptyState
      drawing={<FilmDrawing />}
      title="No videos uploaded yet"
      action={isOwn && <LinkButton to="/upload">Upload a video</LinkButton>}
    />
  )
}

function Playlists({ channelId }: { channelId: number }) {
  const { data, isPending, error, refetch } = trpc.playlist.listByUser.useQuery({ id: channelId })
  if (isPending) return <PlaylistGridSkeleton />
  if (!data) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data.length === 0) return <EmptyTab what="playlists" drawing={<StackDrawing />} />
  return (
    <>
      <h2 className="visually-hidden">Playlists</h2>
      <PlaylistGrid playlists={data} />
    </>
  )
}

function ProfileNotFound() {
  return (
    <>
      <PageTitle title="Profile Not Found" />
      <EmptyState
        role="alert"
        heading="h1"
        drawing={<LostDrawing />}
        title="Profile Not Found"
        action={<LinkButton to="/">Return to Home</LinkButton>}
      >
        There is no such channel, or it was deleted.
      </EmptyState>
    </>
  )
}

function ProfileSkeleton() {
  return (
    <div className={look('widePage')}>
      <PageTitle title="Channel" />
      <h1 className="visually-hidden">Channel</h1>
      <ChannelHeaderSkeleton />
      <Skeleton height={16} maw={520} mt={14} mb={38} radius="sm" />
      <Skeleton width={88} height={20} mt={4} mb={20} radius="sm" />
      <VideoGridSkeleton isOnChannel />
    </div>
  )
}
