import type { Database } from '#server/platform/db/database.ts'
import { type Ranking, type RankingQuery, rankVideos } from '../ranking/ranking.queries.ts'
import type { Searcher } from '../search/searcher.ts'

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    rankings: Rankings
  }
}

export type Rankings = ReturnType<typeof createRankings>

/** Some 10 ms on SQLite. */
const COMPARED_MANY = 500
const FRESH_MS = 10_000
/** Older ones are waited for. */
const USABLE_MS = 5 * 60_000

type Kept = { ids: number[]; at: number }

/**
 * Large sites are ranked by the search thread, for all viewers. After ten seconds the next ranking is
 * made while the old one is answered.
 */
export function createRankings(
  { db, searcher }: { db: Database; searcher: Searcher },
  now = () => performance.now(),
) {
  const kept = new Map<string, Kept>()
  const underWay = new Map<string, Promise<number[]>>()

  function keep(key: string, { ids, compared }: Ranking): number[] {
    if (compared >= COMPARED_MANY) kept.set(key, { ids, at: now() })
    else kept.delete(key)
    return ids
  }

  function renew(key: string, query: RankingQuery): Promise<number[]> {
    const running = underWay.get(key)
    if (running) return running
    const renewal = searcher
      .rankVideos(query)
      .then((ranking) => keep(key, ranking))
      .finally(() => underWay.delete(key))
    underWay.set(key, renewal)
    return renewal
  }

  return {
    /**
     * @returns ids, best first
     * @throws `busy` when the thread cannot answer
     */
    async rank(query: RankingQuery): Promise<number[]> {
      const key = [query.by, query.audience, query.category].join()
      const known = kept.get(key)
      if (!known) return keep(key, await rankVideos(db, query))
      const age = now() - known.at
      if (age < FRESH_MS) return known.ids
      const renewal = renew(key, query)
      if (age >= USABLE_MS) return renewal
      renewal.catch(() => {})
      return known.ids
    },
  }
}
