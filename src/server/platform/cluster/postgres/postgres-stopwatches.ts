import { sql } from 'kysely'
import type { Lap, SharedStopwatches } from '../shared-stopwatches.ts'

/** Processes' clocks differ a little: negative times count as 0. */
export function createPostgresStopwatches(): SharedStopwatches {
  return {
    async report(db, { name, watchedSeconds, now }) {
      const passedMs = sql`greatest("excluded"."lastAt" - "watching"."lastAt", 0)`
      // A reopened page counts from 0.
      const reported = sql`least("watching"."watchedSeconds", "excluded"."watchedSeconds")`
      const { rows } = await sql<Lap>`
        INSERT INTO "watching" ("name", "firstAt", "lastAt", "watchedSeconds", "freshSeconds")
        VALUES (${name}, ${now}, ${now}, ${watchedSeconds}, 0)
        ON CONFLICT ("name") DO UPDATE SET
          "lastAt" = greatest("excluded"."lastAt", "watching"."lastAt"),
          "watchedSeconds" = "excluded"."watchedSeconds",
          "freshSeconds" = least("excluded"."watchedSeconds" - ${reported}, ${passedMs} / 1000.0)
        RETURNING ("lastAt" - "firstAt") / 1000.0 AS "passed", "freshSeconds" AS "fresh"`.execute(
        db,
      )
      return rows[0] ?? { passed: 0, fresh: 0 }
    },

    async deleteIdle(db, before) {
      await sql`DELETE FROM "watching" WHERE "lastAt" < ${before}`.execute(db)
    },
  }
}
