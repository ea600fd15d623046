import { sql } from 'kysely'
import type { Database } from '../engine.ts'
import type { SharedCount, SharedCounts } from '../shared-counts.ts'

const CLEANUP_EVERY_MS = 60_000
/** How much later a window may end than one that begins now, before the clock is taken to have been set back. */
const CLOCK_SLACK_MS = 60_000
/** How many counts are deleted by one statement. */
const CLEANUP_SIZE = 1000

/**
 * Counts in rows, one statement each, by the clock of the server: those of the processes may differ. Counts whose window is
 * over are deleted once a minute by whoever counts.
 */
export function createSharedCounts(): SharedCounts {
  let cleanedAt = performance.now()

  function cleanUp(db: Database): void {
    if (performance.now() - cleanedAt < CLEANUP_EVERY_MS) return
    cleanedAt = performance.now()
    // What is left is deleted the next time.
    deleteEnded(db).catch(() => {})
  }

  return {
    async add(db, { key, amount, max, windowMs }) {
      cleanUp(db)
      // A clock set back must not make a window much longer than it is; another one's may have been read a moment later.
      const isOver = sql`("known"."endsAt" <= "excluded"."endsAt" - ${windowMs}
        OR "known"."endsAt" > "excluded"."endsAt" + ${CLOCK_SLACK_MS})`
      const statement = sql<SharedCount>`
        WITH "clock" AS (
          SELECT floor(extract('epoch' FROM clock_timestamp()) * 1000)::bigint AS "now"
        ),
        "added" AS (
          INSERT INTO "rateCounts" AS "known" ("key", "count", "endsAt")
          SELECT ${key}::text, ${amount}::bigint, "now" + ${windowMs} FROM "clock"
          ON CONFLICT ("key") DO UPDATE SET
            "count" = CASE WHEN ${isOver} THEN 0 ELSE "known"."count" END + "excluded"."count",
            "endsAt" = CASE WHEN ${isOver} THEN "excluded"."endsAt" ELSE "known"."endsAt" END
          WHERE ${isOver} OR "known"."count" < ${max}
          RETURNING "count", "endsAt"
        )
        SELECT 1 AS "hasGrown", "count", "endsAt", "endsAt" - "now" AS "endsInMs" FROM "added", "clock"
        UNION ALL
        SELECT 0, "count", "endsAt", "endsAt" - "now" FROM "rateCounts", "clock"
        WHERE "key" = ${key} AND NOT EXISTS (SELECT 1 FROM "added")`
      for (;;) {
        const [row] = (await statement.execute(db)).rows
        if (row) return { ...row, hasGrown: Boolean(row.hasGrown) }
        // It is full by others' first counts of a window, which this was too early to read.
      }
    },

    async giveBack(db, { key, endsAt }) {
      await sql`UPDATE "rateCounts" SET "count" = "count" - 1
        WHERE "key" = ${key} AND "endsAt" = ${endsAt} AND "count" > 0`.execute(db)
    },
  }
}

async function deleteEnded(db: Database): Promise<void> {
  await sql`DELETE FROM "rateCounts" WHERE "key" IN (
    SELECT "key" FROM "rateCounts"
    WHERE "endsAt" < floor(extract('epoch' FROM clock_timestamp()) * 1000)
    ORDER BY "endsAt" LIMIT ${CLEANUP_SIZE} FOR UPDATE SKIP LOCKED
  )`.execute(db)
}
