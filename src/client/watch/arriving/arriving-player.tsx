import { type RefObject, useCallback, useRef } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import { PlaybackError } from '../player/playback-error.tsx'
import { type PlayerHandle, VideoPlayer } from '../player/video-player.tsx'
import { handOver, type Place } from './handed-over.ts'

const ignore = () => undefined
const NOTHING: readonly never[] = []

type ArrivingPlayerProps = {
  upload: Arriving
  autoPlay: boolean
  player: RefObject<PlayerHandle | null>
}

/** Plays what has arrived, and waits at its end. */
export function ArrivingPlayer({ upload, autoPlay, player }: ArrivingPlayerProps) {
  const { id, title, channel, durationSeconds } = upload
  const frame = useRef<HTMLDivElement>(null)
  const onVideo = useCallback(
    (video: HTMLVideoElement) => {
      const place: Place = { seconds: 0, isPlaying: autoPlay }
      const over = new AbortController()
      const note = () => {
        place.seconds = video.currentTime
        place.isPlaying = !video.paused
        handOver({ videoId: id, ...place })
      }
      for (const type of ['timeupdate', 'seeking', 'play', 'pause']) {
        video.addEventListener(type, note, { signal: over.signal })
      }
      return () => over.abort()
    },
    [id, autoPlay],
  )
  return (
    <div className={look('coverAnchor')} ref={frame}>
      <VideoPlayer
        ref={player}
        frameRef={frame}
        isArriving
        videoId={id}
        title={title}
        channelName={channel?.displayName ?? 'Anonymous'}
        posterUrl={null}
        videoUrl=""
        hlsUrl={`/arriving/${id}/master.m3u8`}
        lines={null}
        storyboardUrl={null}
        durationSeconds={durationSeconds ?? 0}
        startSeconds={0}
        videoFileExists
        chapters={NOTHING}
        marks={NOTHING}
        heat={NOTHING}
        moments={NOTHING}
        soundTracks={NOTHING}
        soundMix={null}
        captions={NOTHING}
        qualities={NOTHING}
        loudnessLufs={null}
        onMark={null}
        next={null}
        previous={null}
        onNext={ignore}
        onFailed={ignore}
        renderError={(exists, retry) => <PlaybackError videoFileExists={exists} onRetry={retry} />}
        {...{ autoPlay, onVideo }}
      />
    </div>
  )
}
