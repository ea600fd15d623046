import type { Context } from '#server/platform/context.ts'
import { audienceOf } from '#server/video/video/video.access.ts'
import { type RankingQuery, rankSquadVideos } from './ranking.queries.ts'

/**
 * Adds videos of the viewer's squads to the ranking that all viewers share.
 * @returns ids, best first
 */
export async function rankForViewer(
  { db, rankings, viewer }: Pick<Context, 'db' | 'rankings' | 'viewer'>,
  { by, category }: Omit<RankingQuery, 'audience'>,
): Promise<number[]> {
  const shared = await rankings.rank({ by, category, audience: audienceOf(viewer) })
  const own = viewer && by !== 'clips' ? await rankSquadVideos(db, { by, category, viewer }) : []
  const all =
    own.length === 0 ? shared : [...shared, ...own].toSorted((a, b) => b.points - a.points)
  return all.map(({ id }) => id)
}
