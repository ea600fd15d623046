import { getRouteApi } from '@tanstack/react-router'
import { look } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ChannelCards, ChannelCardsSkeleton } from '../../browse/feed/channel-cards.tsx'
import { FEED_TABS, toFeedTab } from '../../browse/feed/feed-tab.ts'
import { SubscribeButton } from '../../browse/subscription/subscribe-button.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../browse/video/list/video-grid.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { SectionTabs } from '../../kit/control/section-tabs.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { PeopleDrawing } from '../../kit/drawings/people-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { errorMessage } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'

const SuggestedChannels = lazyPart(
  () => import('../../browse/subscription/suggested-channels.tsx'),
  null,
  null,
)

const route = getRouteApi('/shell/subscriptions')

export function SubscriptionsPage() {
  const viewer = useSession()
  return (
    <div className={look('widePage')}>
      <PageTitle title="Subscriptions" />
      <h1 className={look('below8', 'pageHeading')}>Subscriptions</h1>
      {viewer ? <MemberSubscriptions /> : <SignInPrompt />}
    </div>
  )
}

function SignInPrompt() {
  const signIn = useSignInLink()
  return (
    <EmptyState
      drawing={<PeopleDrawing />}
      title="Keep track of what you watch"
      action={<LinkButton {...signIn}>Sign in to subscribe</LinkButton>}
    >
      Follow the channels you like, and their new videos appear here.
    </EmptyState>
  )
}

function MemberSubscriptions() {
  const tab = toFeedTab(route.useSearch().tab)
  const navigate = route.useNavigate()
  return (
    <SectionTabs
      label="Subscriptions"
      tabs={FEED_TABS}
      current={tab}
      onChange={(id) =>
        void navigate({ search: id === 'channels' ? { tab: id } : {}, replace: true })
      }
    >
      {tab === 'videos' ? <FeedVideos /> : <FeedChannels />}
      <SuggestedChannels />
    </SectionTabs>
  )
}

function FeedVideos() {
  const videos = trpc.video.listSubscribed.useInfiniteQuery({}, nextPage)
  const items = videos.data?.pages.flatMap((page) => page.items)
  if (videos.isPending) return <VideoGridSkeleton maxColumns={4} />
  if (!items) {
    return (
      <LoadError
        text={`Error loading videos: ${errorMessage(videos.error)}`}
        error={videos.error}
        onRetry={() => void videos.refetch()}
      />
    )
  }
  if (items.length === 0) {
    return (
      <EmptyState
        drawing={<FilmDrawing />}
        title="No new videos"
        action={<LinkButton to="/">Browse videos</LinkButton>}
      >
        New videos from the channels you subscribe to appear here.
      </EmptyState>
    )
  }
  return <VideoGrid videos={items} query={videos} maxColumns={4} />
}

function FeedChannels() {
  const channels = trpc.subscription.channels.useQuery()
  if (channels.isPending) return <ChannelCardsSkeleton />
  if (!channels.data) {
    return <LoadError error={channels.error} onRetry={() => void channels.refetch()} />
  }
  if (channels.data.length === 0) {
    return (
      <EmptyState
        drawing={<PeopleDrawing />}
        title="No subscriptions yet"
        action={<LinkButton to="/explore">Discover channels</LinkButton>}
      >
        The channels you subscribe to are listed here.
      </EmptyState>
    )
  }
  return (
    <ChannelCards
      channels={channels.data}
      renderAction={(channel, nameId) => (
        <SubscribeButton
          channel={{ ...channel, isSubscribed: true }}
          isSignedIn
          describedBy={nameId}
        />
      )}
    />
  )
}
