import { useSession } from '../../account/auth/use-session.ts'
import { useClipQueue } from '../../browse/queue/use-clip-queue.ts'
import { useRememberedPlace } from '../../browse/queue/use-queue.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { trpc } from '../../trpc.ts'
import { useClipProgress } from '../../watch/clip/use-clip-progress.ts'
import type { LayerProps } from '../../watch/player/host/hosted-player.ts'
import { openPlayer } from '../../watch/player/host/use-player-slot.ts'
import { PlaybackError } from '../../watch/player/playback-error.tsx'
import { linesOf } from '../../watch/player/source/qualities.ts'
import { useOffers } from '../../watch/player/use-offers.ts'
import { useSquadEnd } from '../../watch/player/use-squad-end.ts'
import { VideoPlayer } from '../../watch/player/video-player.tsx'
import { QueueEnding } from './queue-ending.tsx'
import { useClipSteps } from './use-queue-steps.ts'

const ReactionLayer = lazyPart(() => import('../../watch/reaction/reaction-layer.tsx'), null, null)

type ClipLayerProps = LayerProps & { shown: { clip?: NonNullable<LayerProps['shown']['clip']> } }

/** Plays a range of the video, with its renditions, sound and captions. */
export function ClipLayer({ shown, frame }: ClipLayerProps) {
  const { video, clip, startSeconds, autoPlay, list } = shown
  const clipId = clip?.id ?? 0
  const utils = trpc.useUtils()
  const viewer = useSession()
  useSquadEnd(video)
  const { data: playback } = trpc.video.playback.useQuery({ id: video.id })
  const offers = useOffers(playback)
  const onVideo = useClipProgress({ id: clipId, videoId: video.id })
  const queue = useClipQueue(list, clipId)
  useRememberedPlace(queue, clipId)
  const steps = useClipSteps(queue)
  if (!clip) return null
  const range = { start: clip.startSeconds, end: clip.endSeconds }
  return (
    <VideoPlayer
      ref={openPlayer}
      frameRef={frame}
      videoId={video.id}
      pagePath={`/clip/${clip.id}`}
      title={clip.title}
      channelName={video.channel?.displayName ?? 'Anonymous'}
      posterUrl={clip.pictureUrl ?? video.thumbnailUrl}
      videoUrl={video.videoUrl ?? ''}
      hlsUrl={video.hlsUrl}
      lines={linesOf(video)}
      storyboardUrl={video.storyboardUrl}
      range={range}
      durationSeconds={range.end - range.start}
      startSeconds={startSeconds ?? 0}
      videoFileExists={video.videoFileExists}
      autoPlay={autoPlay}
      {...offers}
      chapters={[]}
      marks={[]}
      heat={[]}
      moments={[]}
      onMark={null}
      next={steps.next}
      previous={steps.previous}
      onPrevious={steps.goBack}
      onVideo={onVideo}
      onNext={steps.goNext}
      overlay={
        video.allowsReactions && (
          <ReactionLayer videoId={video.id} canReact={viewer !== null} range={range} />
        )
      }
      onFailed={() => void utils.clip.byId.invalidate({ id: clip.id })}
      renderError={(videoFileExists, retry) => (
        <PlaybackError videoFileExists={videoFileExists} onRetry={retry} />
      )}
    >
      <QueueEnding
        isRepeated={queue.key !== undefined && queue.loop === 'one'}
        onNext={steps.next ? steps.goNext : undefined}
      />
    </VideoPlayer>
  )
}
