import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { glowOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { useClipQueue } from '../../browse/queue/use-clip-queue.ts'
import { CardMenu } from '../../browse/video/card/card-menu.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { errorStatus } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { startSecondsOf } from '../../watch/player/core/time-address.ts'
import { showVideo } from '../../watch/player/host/hosted-player.ts'
import { openPlayer, usePlayerSlot } from '../../watch/player/host/use-player-slot.ts'
import { ProcessingPanel } from '../../watch/player/lazy-processing-panel.ts'
import { VideoUnavailable } from '../../watch/player/playback-error.tsx'
import { SQUAD_POLL } from '../../watch/player/use-squad-end.ts'
import { parseVideoId } from '../../watch/player/video-id.ts'
import { RecommendedVideos } from '../../watch/recommendation/recommended-videos.tsx'
import { AboutClip } from './about-clip.tsx'
import { ClipLayer } from './clip-layer.tsx'
import { PageLive } from './page-live.tsx'
import { playsAtOnce } from './plays-at-once.ts'
import { WatchComments } from './watch-comments.tsx'
import { WatchLayout } from './watch-layout.tsx'
import { WatchSkeleton } from './watch-skeleton.tsx'

const WatchFailure = lazyPart(() => import('./watch-failure.tsx'))

const QueuePanel = lazyPart(() => import('../../browse/queue/queue-panel.tsx'), null)
/** Until the clip's file exists. */
const FILE_POLL_MS = 2000
const NOT_FOUND = 'There is no such clip. It may have been deleted with its video.'

export function ClipPage() {
  const id = parseVideoId(useParams({ from: '/shell/clip/$id' }).id)
  const query = trpc.clip.byId.useQuery(
    { id: id ?? 0 },
    {
      enabled: id !== undefined,
      retryOnMount: false,
      refetchInterval: ({ state: { data } }) => {
        if (data?.isFileComing) return FILE_POLL_MS
        return data?.video.squad ? SQUAD_POLL.refetchInterval : false
      },
    },
  )
  const slot = usePlayerSlot(id === undefined ? undefined : `/clip/${id}`, { playsOn: false })
  const { data: clip } = query
  const queue = useClipQueue(useSearch({ from: '/shell/clip/$id' }).list, id ?? 0)
  const viewerId = useSession()?.id
  const panel = queue.key !== undefined && (
    <QueuePanel key={queue.key} queue={queue} videoId={id ?? 0} viewerId={viewerId} />
  )
  // As on the watch page, only a squad's clip leaves the page once access to it is lost.
  const hasEnded = clip?.video.squad != null && errorStatus(query.error) === 404
  if (hasEnded || (!clip && (id === undefined || !query.isPending))) {
    return (
      <WatchFailure
        title="Clip not found"
        notFound={NOT_FOUND}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (!clip) return <WatchSkeleton slot={slot} queue={panel} />
  const { video } = clip
  return (
    <WatchLayout
      slot={slot}
      glowUrl={clip.pictureUrl ?? glowOf(video)}
      screen={<ClipScreen key={clip.id} clip={clip} />}
      about={<AboutClip key={clip.id} clip={clip} player={openPlayer} />}
      live={<PageLive key={clip.id} videoId={video.id} clipId={clip.id} />}
      comments={
        <WatchComments
          key={clip.id}
          video={video}
          clipId={clip.id}
          seconds={clip.endSeconds - clip.startSeconds}
        />
      }
      queue={panel}
      recommended={
        <RecommendedVideos
          key={video.id}
          videoId={video.id}
          renderMenu={(other) => <CardMenu video={other} />}
        />
      }
    />
  )
}

/** Positions the player, or shows what replaces it. */
function ClipScreen({ clip }: { clip: Clip }) {
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const { list } = useSearch({ from: '/shell/clip/$id' })
  const isOwn = useSession()?.id === clip.video.userId
  const { video } = clip
  const startSeconds = startSecondsOf(search, clip.endSeconds - clip.startSeconds)
  const canPlay = video.processingState === 'ready' && video.videoUrl !== null
  useLayoutEffect(() => {
    if (!canPlay) return
    const autoPlay = playsAtOnce()
    showVideo({ video, clip, startSeconds, autoPlay, list, Layer: ClipLayer })
  }, [canPlay, video, clip, startSeconds, list])
  if (video.processingState !== 'ready') return <ProcessingPanel video={video} isOwn={isOwn} />
  return video.videoUrl ? null : <VideoUnavailable />
}
