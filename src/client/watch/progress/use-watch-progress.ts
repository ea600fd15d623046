import { useCallback } from 'react'
import { trpc } from '#client/trpc.ts'
import type { Progress } from '#shared/schemas/library.schemas.ts'
import { trackWatching } from './track-watching.ts'

/** Beyond this a video restarts. */
const FINISHED_SHARE = 0.95
const MIN_RESUME_SECONDS = 5

type WatchProgressOptions = {
  videoId: number
  durationSeconds: number
  isSignedIn: boolean
  /** From the address; overrides the stored position. */
  startSeconds?: number | undefined
}

/**
 * Stores and resumes the position of members; counts views of all viewers.
 * @returns ref of the `<video>`
 */
export function useWatchProgress(options: WatchProgressOptions) {
  const { videoId, durationSeconds, isSignedIn, startSeconds } = options
  const utils = trpc.useUtils()

  return useCallback(
    (video: HTMLVideoElement) => {
      const stop = trackWatching(video, {
        videoId,
        // No mutation hook, as the page shows nothing of it.
        onProgress: (progress) =>
          void utils.client.history.report.mutate(progress).catch(() => undefined),
        onLeave: sendOnLeave,
      })
      let isHere = true
      const start = async () => {
        const seconds = startSeconds ?? (isSignedIn ? await findPosition() : 0)
        // Not after the viewer began to watch or seek.
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

/** 0 for the start. */
function resumeSeconds(positionSeconds: number, durationSeconds: number): number {
  const isFinished = positionSeconds >= durationSeconds * FINISHED_SHARE
  return isFinished || positionSeconds < MIN_RESUME_SECONDS ? 0 : positionSeconds
}

/** The request outlives the page. */
function sendOnLeave(progress: Progress): void {
  void fetch('/trpc/history.report', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(progress),
    keepalive: true,
  }).catch(() => undefined)
}
