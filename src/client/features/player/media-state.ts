import type { ReactEventHandler } from 'react'
import { useState } from 'react'

/** What the controls show of a media element. Times in seconds, volume 0 to 1. */
export type MediaState = {
  isPaused: boolean
  isWaiting: boolean
  hasFailed: boolean
  time: number
  duration: number
  /** End of the buffered range that the time lies in. */
  buffered: number
  volume: number
  isMuted: boolean
}

type MediaEvents = Record<
  | 'onPlay'
  | 'onPause'
  | 'onPlaying'
  | 'onWaiting'
  | 'onTimeUpdate'
  | 'onSeeking'
  | 'onSeeked'
  | 'onDurationChange'
  | 'onProgress'
  | 'onVolumeChange'
  | 'onError',
  ReactEventHandler<HTMLVideoElement>
>

/** Follows a `<video>`: spread `events` over it. The element alone knows the truth; this mirrors it. */
export function useMediaState(durationSeconds: number): { media: MediaState; events: MediaEvents } {
  const [media, setMedia] = useState<MediaState>({
    isPaused: true,
    isWaiting: false,
    hasFailed: false,
    time: 0,
    duration: durationSeconds,
    buffered: 0,
    volume: 1,
    isMuted: false,
  })
  const mirror =
    (change: Partial<MediaState> = {}): ReactEventHandler<HTMLVideoElement> =>
    ({ currentTarget: video }) =>
      setMedia((old) => ({
        ...old,
        isPaused: video.paused,
        time: video.currentTime,
        duration: Number.isFinite(video.duration) ? video.duration : old.duration,
        buffered: bufferedEnd(video),
        volume: video.volume,
        isMuted: video.muted,
        ...change,
      }))
  return {
    media,
    events: {
      onPlay: mirror(),
      onPause: mirror({ isWaiting: false }),
      onPlaying: mirror({ isWaiting: false }),
      onWaiting: mirror({ isWaiting: true }),
      onTimeUpdate: mirror(),
      onSeeking: mirror(),
      onSeeked: mirror({ isWaiting: false }),
      onDurationChange: mirror(),
      onProgress: mirror(),
      onVolumeChange: mirror(),
      onError: mirror({ hasFailed: true, isWaiting: false }),
    },
  }
}

function bufferedEnd({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index)) {
      return buffered.end(index)
    }
  }
  return currentTime
}
