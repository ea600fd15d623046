import { type MemberShelf, useHiddenShelves } from '#client/platform/hidden-shelves.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { FOLLOWED_VIDEOS } from './followed-videos.ts'

const NONE: Video[] = []

export type Shelf = { name: MemberShelf; videos: Video[] }

/** Empty for visitors; omits shelves that fail to load. */
export function useMemberShelves(): { isPending: boolean; shelves: Shelf[] } {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const hidden = useHiddenShelves()
  const wants = (shelf: MemberShelf) => ({ enabled: Boolean(viewer) && !hidden.includes(shelf) })
  const unfinished = trpc.history.unfinished.useQuery(undefined, wants('unfinished'))
  const followed = trpc.video.listSubscribed.useQuery({ limit: FOLLOWED_VIDEOS }, wants('followed'))
  const begun = unfinished.data ?? NONE
  const shelves: Shelf[] = [
    { name: 'unfinished', videos: begun },
    {
      name: 'followed',
      videos: (followed.data?.items ?? NONE).filter(({ id }) =>
        begun.every((one) => one.id !== id),
      ),
    },
  ]
  return {
    isPending: unfinished.isLoading || followed.isLoading,
    shelves: viewer
      ? shelves.filter(({ name, videos }) => !hidden.includes(name) && videos.length > 0)
      : [],
  }
}
