import type { Database } from '#server/platform/db/database.ts'
import { isBusy } from '#server/platform/db/errors.ts'
import { createFairSemaphore } from '#server/platform/locks/fair-semaphore.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import { type RankingQuery, rankTags, rankVideos } from '../../ranking/ranking.queries.ts'
import { busySearch, SEARCHES_WAITING_MAX } from '../busy-search.ts'
import { type FindChannels, findChannels } from '../find-channels.ts'
import { type FindSuggestions, findSuggestions } from '../find-suggestions.ts'
import { type FindVideos, findVideos } from '../find-videos.ts'
import { createPostgresIndex } from './vector-search.ts'

/** More would slow the slowest tenth and take others' connections. */
const AT_ONCE = 3

export function createDirectSearcher(db: Database) {
  const index = createPostgresIndex(db)
  const inTurn = createFairSemaphore({ permits: AT_ONCE, permitsPerKey: AT_ONCE })
  let waiting = 0
  let stopped = false
  let lastNumber = 0
  let refusedUpTo = 0

  async function ask<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    if (stopped || waiting >= SEARCHES_WAITING_MAX) throw busySearch()
    waiting += 1
    const number = ++lastNumber
    try {
      return await inTurn('searches', async () => {
        if (stopped || number <= refusedUpTo) throw busySearch()
        try {
          return await answer()
        } catch (error) {
          // Those that wait would wait for the same lock or connection, one after the other.
          if (isBusy(error)) refusedUpTo = lastNumber
          throw error
        }
      })
    } finally {
      waiting -= 1
    }
  }

  return {
    findVideos: (input: FindVideos) => ask(() => findVideos(index, input)),
    findSuggestions: (input: FindSuggestions) => ask(() => findSuggestions({ index, db }, input)),
    findChannels: (input: FindChannels) => ask(() => findChannels({ index, db }, input)),
    rankVideos: (input: RankingQuery) => ask(() => rankVideos(db, input)),
    rankTags: (input: Audience) => ask(() => rankTags(db, input)),
    thread: () => undefined,
    stop: async () => {
      stopped = true
    },
  }
}
