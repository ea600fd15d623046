import { type MemberShelf, useHiddenShelves } from '#client/platform/hidden-shelves.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { FOLLOWED_VIDEOS } from './followed-videos.ts'

const NONE: Video[] = []

export type Shelf = { name: MemberShelf; videos: Video[] }

/** The shelf of new videos shows at most this many. */
const FRESH_VIDEOS = 12

/**
 * Returns the shelves of a member; visitors have none. Shelves that fail to load are left out, as
 * are videos that an earlier shelf already has.
 * @param newest newest videos of the site, which the page has loaded anyway
 */
export function useMemberShelves(newest: Video[]): { isPending: boolean; shelves: Shelf[] } {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const hidden = useHiddenShelves()
  const wants = (shelf: MemberShelf) => ({ enabled: Boolean(viewer) && !hidden.includes(shelf) })
  const unfinished = trpc.history.unfinished.useQuery(undefined, wants('unfinished'))
  const visit = trpc.home.visit.useQuery(undefined, { enabled: Boolean(viewer) })
  const followed = trpc.video.listSubscribed.useQuery({ limit: FOLLOWED_VIDEOS }, wants('followed'))
  const shelves: Shelf[] = [
    { name: 'unfinished', videos: unfinished.data ?? NONE },
    { name: 'fresh', videos: freshOf(newest, { since: visit.data?.since, viewer }) },
    { name: 'followed', videos: followed.data?.items ?? NONE },
  ]
  const shown = viewer ? shelves.filter(({ name }) => !hidden.includes(name)) : []
  return {
    isPending: unfinished.isLoading || visit.isLoading || followed.isLoading,
    shelves: withoutTwice(shown).filter(({ videos }) => videos.length > 0),
  }
}

type Since = { since: string | undefined; viewer: { id: number } | null | undefined }

/** Returns videos that other members published since the last visit. */
function freshOf(newest: Video[], { since, viewer }: Since): Video[] {
  if (since === undefined) return NONE
  return newest
    .filter((video) => video.publishedAt > since && video.userId !== viewer?.id)
    .slice(0, FRESH_VIDEOS)
}

function withoutTwice(shelves: Shelf[]): Shelf[] {
  const seen = new Set<number>()
  return shelves.map(({ name, videos }) => {
    const left = videos.filter(({ id }) => !seen.has(id))
    for (const { id } of left) seen.add(id)
    return { name, videos: left }
  })
}
