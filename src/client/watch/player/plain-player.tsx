import { useRef } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import type { PlainPlayerProps } from '#client/kit/video/plain-player.tsx'
import { trpc } from '#client/trpc.ts'
import { PlaybackError } from './playback-error.tsx'
import { linesOf } from './source/qualities.ts'
import { useOffers } from './use-offers.ts'
import { VideoPlayer } from './video-player.tsx'

const ignore = () => undefined
const NOTHING: readonly never[] = []

/** See the kit's component of the same name. */
export function PlainPlayer({ video, startSeconds = 0, ...props }: PlainPlayerProps) {
  const { startsMuted = false, onVideo = () => ignore } = props
  const { id, title, videoUrl, duration, width = null, height = null } = video
  const frame = useRef<HTMLDivElement>(null)
  const { data: playback } = trpc.video.playback.useQuery(
    { id: id ?? 0 },
    { enabled: id !== undefined },
  )
  const offers = useOffers(playback)
  return (
    <div className={look('coverAnchor')} ref={frame}>
      <VideoPlayer
        key={videoUrl}
        frameRef={frame}
        isEmbedded
        isInline
        videoId={id ?? 0}
        pagePath={id === undefined ? null : `/video/${id}`}
        title={title}
        channelName=""
        posterUrl={video.thumbnailUrl ?? null}
        videoUrl={videoUrl}
        hlsUrl={video.hlsUrl ?? null}
        lines={linesOf({ width, height })}
        storyboardUrl={video.storyboardUrl ?? null}
        durationSeconds={duration}
        videoFileExists
        autoPlay={false}
        chapters={NOTHING}
        marks={NOTHING}
        heat={NOTHING}
        moments={NOTHING}
        onMark={null}
        next={null}
        previous={null}
        onNext={ignore}
        onFailed={ignore}
        renderError={(exists, retry) => <PlaybackError videoFileExists={exists} onRetry={retry} />}
        {...offers}
        {...{ startSeconds, startsMuted, onVideo }}
      />
    </div>
  )
}
