import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { glowOf } from '#shared/poster.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { type Queue, useQueue } from '../../browse/queue/use-queue.ts'
import { CardMenu } from '../../browse/video/card/card-menu.tsx'
import { findKnownVideo } from '../../browse/video/known-video.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { PageSpinner } from '../../kit/spinner.tsx'
import { isSparing } from '../../platform/data-saving.ts'
import { errorStatus } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import { rememberedPlayer } from '../../watch/player/core/player-memory.ts'
import { playerHost } from '../../watch/player/host/hosted-player.ts'
import { openPlayer, usePlayerSlot } from '../../watch/player/host/use-player-slot.ts'
import { isSlowConnection } from '../../watch/player/source/choose-source.ts'
import { loadEarly } from '../../watch/player/source/early-video.ts'
import { parseVideoId } from '../../watch/player/video-id.ts'
import { RecommendedVideos } from '../../watch/recommendation/recommended-videos.tsx'
import { AboutVideo } from './about-video.tsx'
import { PageLive } from './page-live.tsx'
import { useOpenInList, useQueueSteps } from './use-queue-steps.ts'
import { WatchComments } from './watch-comments.tsx'
import { WatchLayout } from './watch-layout.tsx'
import { WatchScreen } from './watch-screen.tsx'
import { WatchSkeleton } from './watch-skeleton.tsx'

const WatchFailure = lazyPart(() => import('./watch-failure.tsx'))
const ArrivingPage = lazyPart(() => import('./arriving-page.tsx'), null, null)

/** For the page of a share link, and those that show a video beside other things. */
export { PlainPlayer } from '../../watch/player/plain-player.tsx'
export { VideoPlayer } from '../../watch/player/video-player.tsx'
/** They are here, and not in the route, because they need this chunk, and the home page has no byte to spare. */
export const SquadViewPage = lazyPart(() => import('./squad-view-page.tsx'), <PageSpinner />)
export const RoomPage = lazyPart(() => import('./room-page.tsx'), <PageSpinner />)

/** The beginning of its file, if its card is about to be opened. */
export function loadKnownVideo(id: number): void {
  const url = findKnownVideo(id)?.videoUrl
  const isShown = playerHost().shown?.video.id === id
  const playsFile = rememberedPlayer().quality === 'auto' && !isSlowConnection()
  if (url && !isShown && !isSparing() && playsFile) loadEarly(url)
}

const QueuePanel = lazyPart(() => import('../../browse/queue/queue-panel.tsx'), null)
const NOT_FOUND = 'This video could not be found or is no longer available.'

export function WatchPage() {
  const id = parseVideoId(useParams({ from: '/shell/video/$id' }).id)
  const query = trpc.video.get.useQuery(
    { id: id ?? 0 },
    // The route's loader has just tried.
    { enabled: id !== undefined, retryOnMount: false, placeholderData: () => findKnownVideo(id) },
  )
  const slot = usePlayerSlot(id === undefined ? undefined : `/video/${id}`)
  const { data: video } = query
  const { list } = useSearch({ from: '/shell/video/$id' })
  const queue = useQueue(list, id ?? 0)
  const viewer = useSession()
  const isGone = query.isError && [400, 404].includes(errorStatus(query.error) ?? 0)
  useSkip(queue, isGone && !video)
  const panel = queue.key !== undefined && (
    <QueuePanel key={queue.key} queue={queue} videoId={id ?? 0} viewerId={viewer?.id} />
  )
  // A squad's video leaves the page once access to it is lost. Any other video stays on screen
  // until the viewer leaves.
  const hasEnded = isGone && video?.squad != null
  if (hasEnded || (!video && (id === undefined || !query.isPending))) {
    const failure = (
      <WatchFailure
        title="Error Loading Video"
        notFound={NOT_FOUND}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
    // Its upload may not have ended.
    if (id === undefined || video || !isGone || queue.key !== undefined) return failure
    const waiting = <WatchSkeleton slot={slot} queue={panel} />
    return <ArrivingPage key={id} {...{ id, waiting }} missing={failure} />
  }
  if (!video) return <WatchSkeleton slot={slot} queue={panel} />
  const { id: key } = video
  const props = { video, player: openPlayer }
  return (
    <WatchLayout
      slot={slot}
      glowUrl={glowOf(video)}
      screen={<WatchScreen key={key} video={video} />}
      about={<AboutVideo key={key} {...props} />}
      live={<PageLive key={key} videoId={key} />}
      comments={<WatchComments key={key} video={video} seconds={video.duration} />}
      queue={panel}
      recommended={
        <RecommendedVideos
          key={key}
          videoId={key}
          renderMenu={(video) => <CardMenu video={video} />}
        />
      }
    />
  )
}

/** Continues when the video no longer exists. */
function useSkip(queue: Queue, isGone: boolean): void {
  const steps = useQueueSteps(queue, useOpenInList())
  const isSkipped = isGone && queue.entries.length > 0 && steps.next !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is known.
  useEffect(() => {
    if (!isSkipped) return
    notify({ title: 'A video of this list was skipped', message: NOT_FOUND })
    steps.goNext()
  }, [isSkipped])
}
