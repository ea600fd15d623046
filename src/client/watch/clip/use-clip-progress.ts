import { useCallback } from 'react'
import { trpc } from '#client/trpc.ts'
import { trackWatching } from '../progress/track-watching.ts'

/** May count a view. @returns ref for the `<video>` */
export function useClipProgress({ id, videoId }: { id: number; videoId: number }) {
  const utils = trpc.useUtils()
  return useCallback(
    (video: HTMLVideoElement) =>
      trackWatching(video, {
        videoId,
        onProgress: ({ watchedSeconds }) =>
          void utils.client.clip.report.mutate({ id, watchedSeconds }).catch(() => undefined),
        onLeave: ({ watchedSeconds }) => sendOnLeave({ id, watchedSeconds }),
      }),
    [utils, id, videoId],
  )
}

/** Survives leaving the page. */
function sendOnLeave(progress: { id: number; watchedSeconds: number }): void {
  void fetch('/trpc/clip.report', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(progress),
    keepalive: true,
  }).catch(() => undefined)
}
