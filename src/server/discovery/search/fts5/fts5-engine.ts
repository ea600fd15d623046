import { sql } from 'kysely'
import type { SearchEngine } from '../search-engine.ts'
import { indexTablesAreWhole } from './index-comparison.queries.ts'
import { mergeIndexParts } from './index-merge.queries.ts'
import {
  deleteIndexedVideos,
  insertIndexedVideos,
  resetIndexTables,
  updateIndexedChannel,
} from './index-tables.queries.ts'
import { createSearchIndex } from './match-sets.ts'

const NAMED_MAX = 100

/** The full-text search of SQLite: https://sqlite.org/fts5.html. */
export const fts5Engine: SearchEngine = {
  createIndex: (db) => createSearchIndex(db),
  insertVideos: (db, videos) => insertIndexedVideos(db, videos),
  deleteVideos: deleteIndexedVideos,
  updateChannel: updateIndexedChannel,
  reset: resetIndexTables,
  tidy: mergeIndexParts,
  isWhole: indexTablesAreWhole,

  listNamed(words) {
    const expression = words.map((word) => `"${word}"*`).join(' AND ')
    return sql`(
      SELECT "rowid" FROM "channelSearch" WHERE "channelSearch" MATCH ${expression}
      LIMIT ${NAMED_MAX}
    )`
  },
}
