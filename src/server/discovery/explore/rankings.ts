import type { Database } from '#server/platform/db/database.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import {
  type RankedTag,
  type RankedVideo,
  type Ranking,
  type RankingQuery,
  rankTags,
  rankVideos,
} from '../ranking/ranking.queries.ts'
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

/**
 * Large sites are ranked by the search thread, for all viewers. After ten seconds the next ranking is
 * made while the old one is answered.
 */
export function createRankings(
  { db, searcher }: { db: Database; searcher: Searcher },
  now = () => performance.now(),
) {
  const videos = keepRankings<RankedVideo>(now)
  const tags = keepRankings<RankedTag>(now)
  return {
    /**
     * @returns the best videos first
     * @throws `busy` when the thread cannot answer
     */
    rank: (query: RankingQuery): Promise<RankedVideo[]> =>
      videos([query.by, query.audience, query.category].join(), {
        rank: () => rankVideos(db, query),
        rankElsewhere: () => searcher.rankVideos(query),
      }),

    /** @throws `busy` */
    rankTags: (audience: Audience): Promise<RankedTag[]> =>
      tags(audience, {
        rank: () => rankTags(db, audience),
        rankElsewhere: () => searcher.rankTags(audience),
      }),
  }
}

type Ways<Item> = {
  rank: () => Promise<Ranking<Item>>
  /** On the search thread. */
  rankElsewhere: () => Promise<Ranking<Item>>
}

function keepRankings<Item>(now: () => number) {
  const kept = new Map<string, { items: Item[]; at: number }>()
  const underWay = new Map<string, Promise<Item[]>>()

  function keep(key: string, { items, compared }: Ranking<Item>): Item[] {
    if (compared >= COMPARED_MANY) kept.set(key, { items, at: now() })
    else kept.delete(key)
    return items
  }

  function renew(key: string, { rankElsewhere }: Ways<Item>): Promise<Item[]> {
    const running = underWay.get(key)
    if (running) return running
    const renewal = rankElsewhere()
      .then((ranking) => keep(key, ranking))
      .finally(() => underWay.delete(key))
    underWay.set(key, renewal)
    return renewal
  }

  return async (key: string, ways: Ways<Item>): Promise<Item[]> => {
    const known = kept.get(key)
    if (!known) return keep(key, await ways.rank())
    const age = now() - known.at
    if (age < FRESH_MS) return known.items
    const renewal = renew(key, ways)
    if (age >= USABLE_MS) return renewal
    renewal.catch(() => {})
    return known.items
  }
}
