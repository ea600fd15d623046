import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { STILL_WHILE_LIVE } from '#client/platform/live-stream.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { parseChapters } from '#shared/chapters.ts'
import { playerPosterOf } from '#shared/poster.ts'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { useQueue, useRememberedPlace } from '../../browse/queue/use-queue.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { trpc } from '../../trpc.ts'
import { canClip } from '../../watch/clip/maker/can-clip.ts'
import { openClipMaker } from '../../watch/clip/maker/open-maker.ts'
import { useCommentsInput } from '../../watch/comment/comment-sort.ts'
import { useMarkMoment } from '../../watch/moment/use-mark-moment.tsx'
import { findCommentMarks } from '../../watch/player/core/comment-marks.ts'
import { type LayerProps, showVideo } from '../../watch/player/host/hosted-player.ts'
import { openPlayer } from '../../watch/player/host/use-player-slot.ts'
import { SaveMixOffer } from '../../watch/player/mixer/save-mix-offer.tsx'
import { PlaybackError } from '../../watch/player/playback-error.tsx'
import { linesOf } from '../../watch/player/source/qualities.ts'
import { useNextVideo } from '../../watch/player/use-next-video.ts'
import { useOffers } from '../../watch/player/use-offers.ts'
import { useSquadEnd } from '../../watch/player/use-squad-end.ts'
import { VideoPlayer } from '../../watch/player/video-player.tsx'
import { useWatchProgress } from '../../watch/progress/use-watch-progress.ts'
import { QueueEnding } from './queue-ending.tsx'
import { useOpenInList, useQueueSteps } from './use-queue-steps.ts'

const MiniPlayer = lazyPart(
  async () => ({ default: (await import('../../watch/player/ahead.ts')).MiniPlayer }),
  null,
  null,
)

const ReactionLayer = lazyPart(() => import('../../watch/reaction/reaction-layer.tsx'), null, null)

/** A queue plays without another press. */
const AT_ONCE = { startSeconds: undefined, autoPlay: true }
const NO_HEAT: readonly number[] = []
const NO_MOMENTS: readonly Moment[] = []

/** On the watch page and as the mini player. */
export function PlayerLayer({ shown, frame, isMini }: LayerProps) {
  const { video, startSeconds, autoPlay, list } = shown
  const { id, title, description, duration: durationSeconds } = video
  const viewer = useSession()
  useSquadEnd(video)
  const utils = trpc.useUtils()
  const onVideo = useWatchProgress({
    videoId: id,
    durationSeconds,
    isSignedIn: viewer !== null,
    startSeconds,
  })
  const chapters = useMemo(
    () => parseChapters(description, durationSeconds),
    [description, durationSeconds],
  )
  const { data: comments } = trpc.comment.list.useInfiniteQuery(useCommentsInput({ id }), {
    ...nextPage,
    ...STILL_WHILE_LIVE,
  })
  const marks = useMemo(
    () => findCommentMarks(comments?.pages.flatMap(({ items }) => items) ?? [], durationSeconds),
    [comments, durationSeconds],
  )
  const { data: playback } = trpc.video.playback.useQuery({ id })
  const offers = useOffers(playback)
  const onMark = useMarkMoment(id)
  const recommended = useNextVideo(id)
  const navigate = useNavigate()
  const queue = useQueue(list, id)
  useRememberedPlace(queue, id)
  const openInList = useOpenInList()
  const steps = useQueueSteps(queue, (other, ofList) => {
    if (isMini) showVideo({ ...shown, ...AT_ONCE, video: other, list: ofList })
    else openInList(other, ofList)
  })
  const clip = () => {
    if (viewer) openClipMaker(id, { isByKey: true })
    else openPlayer.current?.player.core.flash('none', 'Sign in to make a clip')
  }
  const next = steps.next ?? (isMini ? null : recommended)
  return (
    <VideoPlayer
      ref={openPlayer}
      frameRef={frame}
      videoId={id}
      title={title}
      channelName={video.channel?.displayName ?? 'Anonymous'}
      posterUrl={autoPlay ? playerPosterOf(video) : video.thumbnailUrl}
      videoUrl={video.videoUrl ?? ''}
      hlsUrl={video.hlsUrl}
      lines={linesOf(video)}
      storyboardUrl={video.storyboardUrl}
      durationSeconds={durationSeconds}
      startSeconds={startSeconds ?? 0}
      videoFileExists={video.videoFileExists}
      autoPlay={autoPlay}
      {...offers}
      chapters={chapters}
      marks={marks}
      heat={playback?.heat ?? NO_HEAT}
      moments={playback?.moments ?? NO_MOMENTS}
      onMark={viewer && onMark}
      next={next}
      onVideo={onVideo}
      previous={steps.previous}
      onPrevious={steps.goBack}
      onNext={() => {
        if (steps.next) steps.goNext()
        else if (next) void navigate({ to: '/video/$id', params: { id: String(next.id) } })
      }}
      onClip={isMini || !canClip(video, viewer?.id) ? undefined : clip}
      overlay={
        !isMini &&
        video.allowsReactions && <ReactionLayer videoId={id} canReact={viewer !== null} />
      }
      onFailed={() => void utils.video.get.invalidate({ id })}
      renderError={(videoFileExists, retry) => (
        <PlaybackError videoFileExists={videoFileExists} onRetry={retry} />
      )}
    >
      {viewer?.id === video.userId && <SaveMixOffer videoId={id} />}
      <QueueEnding
        isRepeated={queue.key !== undefined && queue.loop === 'one'}
        onNext={steps.next ? steps.goNext : undefined}
      />
      {isMini && (
        <MiniPlayer {...{ video, frame, list }} onNext={steps.next ? steps.goNext : undefined} />
      )}
    </VideoPlayer>
  )
}
