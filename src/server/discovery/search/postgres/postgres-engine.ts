import { sql } from 'kysely'
import type { SearchEngine } from '../search-engine.ts'
import {
  deleteIndexedVideos,
  indexTablesAreWhole,
  insertIndexedVideos,
  resetIndexTables,
  tableOf,
  updateIndexedChannel,
} from './index-tables.queries.ts'
import { toTextQuery } from './text-vectors.ts'

const NAMED_MAX = 100

/** https://www.postgresql.org/docs/current/textsearch.html */
export const postgresEngine: SearchEngine = {
  lockRows: sql`FOR UPDATE SKIP LOCKED`,
  insertVideos: insertIndexedVideos,
  deleteVideos: deleteIndexedVideos,
  updateChannel: updateIndexedChannel,
  reset: resetIndexTables,
  isWhole: indexTablesAreWhole,
  tableOf,

  /** Its indexes have no pending lists. */
  tidy: async () => false,
  tidyAll: async () => {},

  listNamed(alternatives) {
    const query = toTextQuery({ alternatives, signs: [], category: undefined })
    return sql`(
      SELECT "userId" FROM "channelSearch" WHERE "names" @@ ${query}::tsquery
      ORDER BY "userId" LIMIT ${NAMED_MAX}
    )`
  },
}
