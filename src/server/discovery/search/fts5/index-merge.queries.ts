import { sql } from 'kysely'
import type { Connection } from '../search-engine.ts'

/** Some milliseconds of work. */
const MERGE_PAGES = 32

/**
 * Each commit adds a part to the full-text index, and the more parts, the slower is a search. By
 * itself FTS5 would merge them within whichever commit makes one too many, for hundreds of
 * milliseconds; migration 012 forbids that, and this is called instead.
 * @returns whether there is more to do
 */
export async function mergeIndexParts(db: Connection): Promise<boolean> {
  const before = await countChanges(db)
  // A bound number would be a real one, which FTS5 refuses.
  await sql`INSERT INTO "videoSearch" ("videoSearch", "rank") VALUES ('merge', ${sql.lit(MERGE_PAGES)})`.execute(
    db,
  )
  // The command itself counts as one (https://sqlite.org/fts5.html#the_merge_command).
  return (await countChanges(db)) - before >= 2
}

async function countChanges(db: Connection): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT total_changes() AS "count"`.execute(db)
  return rows[0]?.count ?? 0
}
