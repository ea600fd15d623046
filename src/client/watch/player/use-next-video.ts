import { useMemo } from 'react'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import type { NextVideo } from './core/player-state.ts'

/** First recommendation. */
export function useNextVideo(videoId: number): NextVideo | null {
  const { data } = trpc.video.recommended.useQuery({ id: videoId })
  const first = data?.[0]
  return useMemo(
    () =>
      first
        ? {
            id: first.id,
            title: first.title,
            thumbnailUrl: posterOf(first).src,
            channelName: first.channel?.displayName ?? 'Anonymous',
            durationSeconds: first.duration,
          }
        : null,
    [first],
  )
}
