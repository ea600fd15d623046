import type { Database } from '#server/platform/db/database.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { Face } from '#shared/schemas/user.schemas.ts'
import type { WatchingCount } from '#shared/schemas/watching.schemas.ts'
import { findShowsPresence, listFollowedFaces, listVisibleOf } from './watching.queries.ts'

const LEAST_SHOWN = 2
const FACES_MAX = 5

type Services = { db: Database; live: LiveFeed }

/** Returns 0 for fewer than two people. */
export const shownCount = (count: number) => (count >= LEAST_SHOWN ? count : 0)

/** Returns only videos that the viewer may see and that at least two people watch. */
export async function countWatching(
  { db, live }: Services,
  { ids, viewer }: { ids: number[]; viewer: Viewer | undefined },
): Promise<WatchingCount[]> {
  const counts = [...new Set(ids)]
    .map((id) => ({ id, count: shownCount(live.videos.watching(id).count) }))
    .filter(({ count }) => count > 0)
  if (counts.length === 0) return []
  const visible = await listVisibleOf(db, { ids: counts.map(({ id }) => id), viewer })
  return counts.filter(({ id }) => visible.includes(id))
}

/** Returns no faces for a viewer who does not show their own presence. */
export async function readFaces(
  { db, live }: Services,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<Face[]> {
  await requireVideoOwner(db, { id, viewer })
  const userIds = live.videos.watching(id).memberIds.filter((userId) => userId !== viewer.id)
  if (userIds.length === 0 || !(await findShowsPresence(db, viewer.id))) return []
  return listFollowedFaces(db, { userIds, viewerId: viewer.id, limit: FACES_MAX })
}
