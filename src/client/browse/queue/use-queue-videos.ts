import { useEffect } from 'react'
import { errorSentence, errorStatus } from '#client/platform/error-message.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import type { PlaylistWithVideos } from '#shared/schemas/library.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { ENTRIES_MAX, type QueueEntry, toEntry, useOwnQueue } from './own-queue.ts'
import { parseQueueKey } from './queue-key.ts'

/** HTTP statuses of a list that is missing or hidden. */
export const REFUSED = [400, 401, 403, 404]

export type QueueVideos = {
  title: string
  /** Page of the list. */
  href: string | undefined
  entries: readonly QueueEntry[]
  /** All pages are loaded. */
  isComplete: boolean
  isPending: boolean
  /** The list does not exist, or is hidden from the viewer. */
  isMissing: boolean
  /** Temporary failure. */
  problem: string | undefined
  retry: () => void
  playlist: PlaylistWithVideos | undefined
}

/** Shares queries with the list's page. */
export function useQueueVideos(key: string | undefined): QueueVideos {
  const source = parseQueueKey(key)
  const { kind } = source
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const isMember = Boolean(viewer)
  const id = kind === 'playlist' || kind === 'channel' ? source.id : 0
  const found = kind === 'search' ? source.input : { q: '' }
  const lists = {
    playlist: trpc.playlist.get.useInfiniteQuery(
      { id },
      { ...nextPage, enabled: kind === 'playlist' },
    ),
    'watch-later': trpc.playlist.watchLater.useInfiniteQuery(
      {},
      { ...nextPage, enabled: kind === 'watch-later' && isMember },
    ),
    liked: trpc.video.listLiked.useInfiniteQuery(
      {},
      { ...nextPage, enabled: kind === 'liked' && isMember },
    ),
    history: trpc.history.list.useInfiniteQuery(
      {},
      { ...nextPage, enabled: kind === 'history' && isMember },
    ),
    channel: trpc.video.listByUser.useInfiniteQuery(
      { id },
      { ...nextPage, enabled: kind === 'channel' },
    ),
    search: trpc.search.videos.useInfiniteQuery(found, { ...nextPage, enabled: kind === 'search' }),
  }
  const channel = trpc.user.get.useQuery({ id }, { enabled: kind === 'channel' })
  const own = useOwnQueue()
  const query = kind === 'queue' || kind === 'none' ? undefined : lists[kind]
  const pages = (query?.data?.pages ?? []) as readonly (ListPage | null)[]
  const entries =
    kind === 'queue' ? own.entries : pages.flatMap((page) => videosOf(page).map(toEntry))
  useAllPages(query, entries.length)
  const first = pages[0]
  const playlist =
    first && 'videos' in first
      ? { ...first, nextCursor: pages.at(-1)?.nextCursor ?? null }
      : undefined
  const isRefused = query?.isError === true && REFUSED.includes(errorStatus(query.error) ?? 0)
  const isPrivate = kind === 'watch-later' || kind === 'liked' || kind === 'history'
  return {
    ...titleOf(),
    entries: entries.slice(0, ENTRIES_MAX),
    isComplete: query?.hasNextPage !== true || entries.length >= ENTRIES_MAX,
    isPending: query?.isLoading === true || (isPrivate && viewer === undefined),
    isMissing: isRefused || (isPrivate && viewer !== undefined && !isMember),
    problem: query?.isError && !isRefused ? errorSentence(query.error) : undefined,
    retry: () => void query?.refetch(),
    playlist: playlist && { ...playlist, videos: pages.flatMap(videosOf) },
  }

  function titleOf(): Pick<QueueVideos, 'title' | 'href'> {
    switch (kind) {
      case 'playlist':
        return { title: playlist?.title ?? 'Playlist', href: `/playlist/${id}` }
      case 'watch-later':
        return { title: 'Watch later', href: '/playlist/watch-later' }
      case 'liked':
        return { title: 'Liked videos', href: '/playlist/liked' }
      case 'history':
        return { title: 'Watch History', href: '/history' }
      case 'channel':
        return { title: channel.data?.displayName ?? 'Channel', href: `/profile/${id}` }
      case 'search': {
        const search = new URLSearchParams(key?.slice('search:'.length))
        return { title: `Results for "${found.q}"`, href: `/search?${search}` }
      }
      default:
        return { title: 'Queue', href: undefined }
    }
  }
}

type PagedQuery = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Up to the limit. */
export function useAllPages(query: PagedQuery | undefined, count: number): void {
  useEffect(() => {
    if (!query?.hasNextPage || query.isFetchingNextPage || query.isError) return
    if (count < ENTRIES_MAX) void query.fetchNextPage()
  }, [query, count])
}

type ListPage =
  | PlaylistWithVideos
  | { items: readonly (Video | { video: Video })[]; nextCursor: string | null }

function videosOf(page: ListPage | null): Video[] {
  if (!page) return []
  if ('videos' in page) return page.videos
  return page.items.map((item) => ('video' in item ? item.video : item))
}
