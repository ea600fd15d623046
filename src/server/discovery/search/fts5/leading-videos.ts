import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { listVideosToIndex } from '../indexed-video.queries.ts'
import { insertIndexedVideos, readIndexOptions } from './index-tables.queries.ts'

const TABLE = sql.table('temp.leadingSearch')

/**
 * A temporary full-text index of the first videos of an order. Frequent words find enough here,
 * without a list of all matches. Adding a video takes some 60 µs, a search 0.2 ms. See
 * docs/decisions/0019-search-on-a-thread.md.
 */
export function createLeadingVideos(db: Database) {
  const indexed = new Set<number>()
  let isMade = false

  /** The connection is otherwise read-only. */
  async function write(work: () => Promise<unknown>): Promise<void> {
    await sql`PRAGMA query_only = OFF`.execute(db)
    try {
      await work()
    } finally {
      await sql`PRAGMA query_only = ON`.execute(db)
    }
  }

  async function make(): Promise<void> {
    const using = await readIndexOptions(db, 'videoSearch')
    await write(() => sql`CREATE VIRTUAL TABLE IF NOT EXISTS ${TABLE} ${using}`.execute(db))
    isMade = true
  }

  async function add(ids: number[]): Promise<void> {
    const missing = ids.filter((id) => !indexed.has(id))
    if (missing.length === 0) return
    if (!isMade) await make()
    const videos = await listVideosToIndex(db, missing)
    await write(() => insertIndexedVideos(db, videos, TABLE))
    for (const id of missing) indexed.add(id)
  }

  return {
    /** Keeps the order of `ids`. */
    async match(ids: number[], expression: string): Promise<number[]> {
      await add(ids)
      const { rows } = await sql<{ rowid: number }>`
        SELECT "rowid" FROM ${TABLE} WHERE "leadingSearch" MATCH ${expression}`.execute(db)
      const found = new Set(rows.map(({ rowid }) => rowid))
      return ids.filter((id) => found.has(id))
    },

    async forget(): Promise<void> {
      if (indexed.size === 0) return
      const empty = sql`INSERT INTO ${TABLE} ("leadingSearch") VALUES ('delete-all')`
      await write(() => empty.execute(db))
      indexed.clear()
    },
  }
}
