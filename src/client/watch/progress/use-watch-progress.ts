import { useCallback } from 'react'
import { trpc } from '#client/trpc.ts'
import type { Progress } from '#shared/schemas/library.schemas.ts'
import { trackWatching } from './track-watching.ts'

/** So near the end a video starts from its beginning again. */
const FINISHED_SHARE = 0.95
const MIN_RESUME_SECONDS = 5

type WatchProgressOptions = {
  videoId: number
  durationSeconds: number
  isSignedIn: boolean
  /** A place that the address asks for; it goes before the one left off at. */
  startSeconds?: number | undefined
}

/**
 * Remembers how far a video was watched, and goes on from there. Visitors are not remembered, but
 * their views are counted.
 * @returns a ref for the `<video>`, which it follows for as long as it is there
 */
export function useWatchProgress(options: WatchProgressOptions) {
  const { videoId, durationSeconds, isSignedIn, startSeconds } = options
  const utils = trpc.useUtils()

  return useCallback(
    (video: HTMLVideoElement) => {
      const stop = trackWatching(video, {
        videoId,
        // Not a mutation hook: nothing on the page changes with it, and the next report is near.
        onProgress: (progress) =>
          void utils.client.history.report.mutate(progress).catch(() => undefined),
        onLeave: sendOnLeave,
      })
      let isHere = true
      const start = async () => {
        const seconds = startSeconds ?? (isSignedIn ? await findPosition() : 0)
        // Whoever has begun to watch or to seek is not taken elsewhere.
        if (isHere && seconds > 0 && video.currentTime < 1) video.currentTime = seconds
      }
      const findPosition = async () => {
        const [place] = await utils.history.positions
          .fetch({ videoIds: [videoId] }, { staleTime: 0 })
          .catch(() => [])
        return place ? resumeSeconds(place.positionSeconds, durationSeconds) : 0
      }
      void start()
      return () => {
        isHere = false
        stop()
        void utils.history.invalidate()
      }
    },
    [utils, videoId, durationSeconds, isSignedIn, startSeconds],
  )
}

/** Where to go on in a video that was left at `positionSeconds`; 0 for its beginning. */
function resumeSeconds(positionSeconds: number, durationSeconds: number): number {
  const isFinished = positionSeconds >= durationSeconds * FINISHED_SHARE
  return isFinished || positionSeconds < MIN_RESUME_SECONDS ? 0 : positionSeconds
}

/** A page that goes away takes its calls along, but not this one. */
function sendOnLeave(progress: Progress): void {
  void fetch('/trpc/history.report', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(progress),
    keepalive: true,
  }).catch(() => undefined)
}
