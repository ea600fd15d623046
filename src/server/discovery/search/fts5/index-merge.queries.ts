import { sql } from 'kysely'
import type { Connection } from '../search-engine.ts'

/** Some 2 ms. */
const MERGE_PAGES = 16

/**
 * Each commit adds a segment, which slows searches. FTS5 would merge within a commit, for hundreds
 * of milliseconds; migration 012 disables that.
 * @returns whether more is to do
 */
export async function mergeIndexParts(db: Connection): Promise<boolean> {
  const before = await countChanges(db)
  // FTS5 refuses a bound number: it is a float.
  await sql`INSERT INTO "videoSearch" ("videoSearch", "rank") VALUES ('merge', ${sql.lit(MERGE_PAGES)})`.execute(
    db,
  )
  // The command itself is one change (https://sqlite.org/fts5.html#the_merge_command).
  return (await countChanges(db)) - before >= 2
}

/** For a transaction that nobody waits for: some 60 s for a million videos. */
export async function mergeAllIndexParts(db: Connection): Promise<void> {
  await sql`INSERT INTO "videoSearch" ("videoSearch") VALUES ('optimize')`.execute(db)
}

async function countChanges(db: Connection): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT total_changes() AS "count"`.execute(db)
  return rows[0]?.count ?? 0
}
