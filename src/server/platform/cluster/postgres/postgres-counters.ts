import { type QueryExecutorProvider, sql } from 'kysely'
import type { SharedCount, SharedCounters } from '../shared-counters.ts'

const CLEANUP_EVERY_MS = 60_000
/** A later end means that the clock was set back. */
const CLOCK_SLACK_MS = 60_000
const CLEANUP_SIZE = 1000

/** By the server's clock. Each process deletes ended windows once a minute. */
export function createPostgresCounters(): SharedCounters {
  let cleanedAt = performance.now()

  function cleanUp(db: QueryExecutorProvider): void {
    if (performance.now() - cleanedAt < CLEANUP_EVERY_MS) return
    cleanedAt = performance.now()
    // Retried in the next minute.
    deleteEnded(db).catch(() => {})
  }

  return {
    async add(db, { key, amount, max, windowMs }) {
      cleanUp(db)
      // Concurrent statements read the clock at different moments.
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
        // Concurrent statements filled a window unknown to this snapshot.
      }
    },

    async giveBack(db, { key, endsAt }) {
      await sql`UPDATE "rateCounts" SET "count" = "count" - 1
        WHERE "key" = ${key} AND "endsAt" = ${endsAt} AND "count" > 0`.execute(db)
    },
  }
}

async function deleteEnded(db: QueryExecutorProvider): Promise<void> {
  await sql`DELETE FROM "rateCounts" WHERE "key" IN (
    SELECT "key" FROM "rateCounts"
    WHERE "endsAt" < floor(extract('epoch' FROM clock_timestamp()) * 1000)
    ORDER BY "endsAt" LIMIT ${CLEANUP_SIZE} FOR UPDATE SKIP LOCKED
  )`.execute(db)
}
