import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

/**
 * From a cached list, to start playback early. Only playable videos, as other fields may be
 * outdated.
 */
export function findKnownVideo(id: number | undefined): Video | undefined {
  for (const query of queryClient.getQueryCache().getAll()) {
    const video = listItems(query.state.data).find((item) => isVideo(item) && item.id === id)
    if (video) return video as Video
  }
}

function listItems(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data
  const pages = (data as InfiniteData<{ items?: unknown }> | undefined)?.pages
  if (!Array.isArray(pages)) return []
  return pages.flatMap((page) => (Array.isArray(page?.items) ? page.items : []))
}

function isVideo(item: unknown): item is Video {
  const { processingState, videoUrl } = (item ?? {}) as Partial<Video>
  return processingState === 'ready' && typeof videoUrl === 'string'
}
