import { sql } from 'kysely'
import type { SearchEngine } from '../search-engine.ts'
import { indexTablesAreWhole } from './index-comparison.queries.ts'
import { mergeAllIndexParts, mergeIndexParts } from './index-merge.queries.ts'
import {
  deleteIndexedVideos,
  insertIndexedVideos,
  resetIndexTables,
  updateIndexedChannel,
} from './index-tables.queries.ts'
import { eitherOf } from './match-expression.ts'

const NAMED_MAX = 100

/** https://sqlite.org/fts5.html */
export const fts5Engine: SearchEngine = {
  /** SQLite has one writer. */
  lockRows: sql``,
  insertVideos: (db, videos) => insertIndexedVideos(db, videos),
  deleteVideos: deleteIndexedVideos,
  updateChannel: updateIndexedChannel,
  reset: resetIndexTables,
  tidy: mergeIndexParts,
  tidyAll: mergeAllIndexParts,
  isWhole: indexTablesAreWhole,

  tableOf(rows, columns) {
    const values = Object.keys(columns).map(
      (column) => sql`"value" ->> ${sql.lit(`$.${column}`)} AS ${sql.id(column)}`,
    )
    return sql`(SELECT ${sql.join(values)} FROM json_each(${JSON.stringify(rows)}))`
  },

  listNamed(alternatives) {
    const expression = alternatives.map((words) => eitherOf(words, '*')).join(' AND ')
    return sql`(
      SELECT "rowid" FROM "channelSearch" WHERE "channelSearch" MATCH ${expression}
      LIMIT ${NAMED_MAX}
    )`
  },
}
