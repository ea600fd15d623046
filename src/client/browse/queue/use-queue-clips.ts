import { errorSentence, errorStatus } from '#client/platform/error-message.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { type ClipQueueSource, parseClipQueueKey } from './clip-queue-key.ts'
import { ENTRIES_MAX, type QueueEntry } from './own-queue.ts'
import { type QueueVideos, REFUSED, useAllPages } from './use-queue-videos.ts'

/** Shares queries with the list's page. */
export function useQueueClips(key: string | undefined): QueueVideos {
  const source = parseClipQueueKey(key)
  const { of } = source
  const id = of === 'video' || of === 'channel' ? source.id : 0
  const q = of === 'search' ? source.q : ''
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const { newest, bestOfWeek, mine, ofVideo, ofChannel, search } = trpc.clip
  const lists = {
    new: newest.useInfiniteQuery({}, { ...nextPage, enabled: of === 'new' }),
    week: bestOfWeek.useInfiniteQuery({}, { ...nextPage, enabled: of === 'week' }),
    mine: mine.useInfiniteQuery({}, { ...nextPage, enabled: of === 'mine' && Boolean(viewer) }),
    video: ofVideo.useInfiniteQuery({ id }, { ...nextPage, enabled: of === 'video' }),
    channel: ofChannel.useInfiniteQuery({ id }, { ...nextPage, enabled: of === 'channel' }),
    search: search.useInfiniteQuery({ q }, { ...nextPage, enabled: of === 'search' }),
  }
  const query = of === 'none' ? undefined : lists[of]
  const channel = trpc.user.get.useQuery({ id }, { enabled: of === 'channel' })
  const entries = query?.data?.pages.flatMap(({ items }) => items.map(toClipEntry)) ?? []
  useAllPages(query, entries.length)
  const isRefused = query?.isError === true && REFUSED.includes(errorStatus(query.error) ?? 0)
  return {
    ...titleOf(source, channel.data?.displayName),
    entries: entries.slice(0, ENTRIES_MAX),
    isComplete: query?.hasNextPage !== true || entries.length >= ENTRIES_MAX,
    isPending: query?.isLoading === true || (of === 'mine' && viewer === undefined),
    isMissing: isRefused || (of === 'mine' && viewer === null),
    problem: query?.isError && !isRefused ? errorSentence(query.error) : undefined,
    retry: () => void query?.refetch(),
    playlist: undefined,
  }
}

function titleOf(
  source: ClipQueueSource,
  channelName = 'a channel',
): Pick<QueueVideos, 'title' | 'href'> {
  switch (source.of) {
    case 'week':
      return { title: 'Best clips this week', href: '/explore' }
    case 'mine':
      return { title: 'Your clips', href: '/studio?tab=clips' }
    case 'video':
      return { title: 'Clips of this video', href: `/video/${source.id}` }
    case 'channel':
      return { title: `Clips of ${channelName}`, href: `/profile/${source.id}?tab=clips` }
    case 'search':
      return {
        title: `Clips for "${source.q}"`,
        href: `/search?${new URLSearchParams({ q: source.q })}`,
      }
    default:
      return { title: 'New clips', href: '/clips' }
  }
}

function toClipEntry(clip: Clip): QueueEntry {
  const { id, title, maker, pictureUrl, video } = clip
  return {
    ...{ id, title },
    thumbnailUrl: pictureUrl ?? posterOf(video).src,
    duration: clip.endSeconds - clip.startSeconds,
    channelName: maker?.displayName ?? 'Anonymous',
  }
}
