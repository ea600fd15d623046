import type { Database } from '#server/platform/db/database.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import {
  countWord,
  listBegunWords,
  listKnownWords,
  readIndexState,
} from '../index-words.queries.ts'
import { readWaiting } from '../outbox.queries.ts'
import type { AudienceIndex, SearchIndex, Tier } from '../search-engine.ts'
import {
  countMatches,
  listFirstMatches,
  listFirstOfTiers,
  listLeadingMatches,
  listNewestMatches,
  listNewestOfFew,
  sortVideoIds,
  type TierQuery,
} from './matches.queries.ts'
import { exceptForMembers, toTextQuery } from './text-vectors.ts'

/** From here on searching the order is cheaper. */
const VERY_MANY = 1000
const LEADING = [256, 2048] as const

/** Caches nothing: several nodes write. */
export function createPostgresIndex(db: Database, { veryMany = VERY_MANY } = {}): SearchIndex {
  let isOpen = false

  function toAudience(audience: Audience): AudienceIndex {
    const narrow = (query: string): TierQuery[] =>
      query.split('\n').map((one) => {
        const at = one.indexOf(' ')
        const [tier, own] = [one.slice(0, at) as Tier, one.slice(at + 1)]
        return { tier, query: audience === 'everybody' ? exceptForMembers(own) : own }
      })

    return {
      audience,
      isAllowed: () => isOpen || audience === 'members',
      query: (...matches) =>
        matches.map(({ tier, ...match }) => `${tier} ${toTextQuery(match)}`).join('\n'),
      count: (query, max) => countMatches(db, { anyOf: narrow(query), max }),
      countWord: (word) => countWord(db, { word, audience }),
      listBegun: (words) => listBegunWords(db, { words, audience }),
      listKnown: (word, others) => listKnownWords(db, { words: others(word), audience }),

      async rank(query, { order, limit, about }) {
        const wanted = { anyOf: narrow(query), audience, order, limit }
        for (const among of about < veryMany ? [] : LEADING) {
          const found = await listLeadingMatches(db, { ...wanted, among })
          if (found.length === limit) return found
          if (found.length * LEADING[1] < limit * among) break
        }
        return listFirstMatches(db, wanted)
      },

      async rankTiers(queries, { limit, about }) {
        if (about >= veryMany) return undefined
        const wanted = { tiers: queries.map(narrow), audience, limit, max: VERY_MANY }
        const { ids, matching } = await listFirstOfTiers(db, wanted)
        if (matching > VERY_MANY) return undefined
        return { ids, total: ids.length < limit ? ids.length : matching }
      },

      rankIds: (ids, wanted) => sortVideoIds(db, { ids, audience, ...wanted }),

      async candidates(query, limit) {
        const wanted = { anyOf: narrow(query), limit }
        const newest = await listNewestOfFew(db, { ...wanted, among: LEADING[1] })
        return newest.length === limit ? newest : listNewestMatches(db, wanted)
      },

      readThrough: (_, read) => read(),
    }
  }

  const found = { everybody: toAudience('everybody'), members: toAudience('members') }

  return {
    async refresh() {
      const state = await readIndexState(db)
      isOpen = state.isOpen
      return state.version
    },
    of: (audience) => found[audience],
    readWaiting: (ids) => readWaiting(db, ids),
  }
}
