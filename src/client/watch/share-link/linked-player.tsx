import { type RefObject, useMemo, useRef } from 'react'
import { parseChapters } from '#shared/chapters.ts'
import type { LinkedVideo } from '#shared/schemas/share-link.schemas.ts'
import { startSecondsOf } from '../player/core/time-address.ts'
import { PlaybackError, VideoUnavailable } from '../player/playback-error.tsx'
import { linesOf } from '../player/source/qualities.ts'
import { useOffers } from '../player/use-offers.ts'
import type { PlayerHandle, VideoPlayer } from '../player/video-player.tsx'
import classes from './linked-video.module.css'

type LinkedPlayerProps = {
  /** Loaded by the page. */
  Player: typeof VideoPlayer
  entry: LinkedVideo
  /** Of the link, in place of the video's. */
  path: string
  player: RefObject<PlayerHandle | null>
}

/** Neither counts views nor stores positions. */
export function LinkedPlayer({ Player, entry, path, player }: LinkedPlayerProps) {
  const { video, playback } = entry
  const { title, description, duration } = video
  const frame = useRef<HTMLDivElement>(null)
  const chapters = useMemo(() => parseChapters(description, duration), [description, duration])
  const offers = useOffers(playback)
  const startSeconds = startSecondsOf(location.search, duration) ?? 0
  return (
    <div className={classes.picture} ref={frame}>
      {video.videoUrl ? (
        <Player
          ref={player}
          frameRef={frame}
          videoId={video.id}
          pagePath={path}
          title={title}
          channelName={video.ownerName ?? 'Anonymous'}
          posterUrl={video.thumbnailUrl}
          videoUrl={video.videoUrl}
          hlsUrl={video.hlsUrl}
          lines={linesOf(video)}
          storyboardUrl={video.storyboardUrl}
          durationSeconds={duration}
          startSeconds={startSeconds}
          videoFileExists={video.videoFileExists}
          autoPlay={false}
          isEmbedded
          {...offers}
          chapters={chapters}
          marks={[]}
          heat={playback.heat}
          moments={playback.moments}
          onMark={null}
          next={null}
          previous={null}
          onVideo={(element) => beginAt(element, startSeconds)}
          onNext={() => undefined}
          onFailed={() => undefined}
          renderError={(videoFileExists, retry) => (
            <PlaybackError videoFileExists={videoFileExists} onRetry={retry} />
          )}
        />
      ) : (
        <VideoUnavailable />
      )}
    </div>
  )
}

function beginAt(element: HTMLVideoElement, seconds: number): () => void {
  if (seconds > 0 && element.currentTime < 1) element.currentTime = seconds
  return () => undefined
}
