import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { greaterOf, lesserOf } from '#server/platform/db/expressions.ts'

/** `now` in milliseconds. */
export type WatchReport = { name: string; watchedSeconds: number; now: number }
/** Seconds since the first report, and newly watched. */
export type Followed = { passed: number; fresh: number }

/** Shared by processes, whose clocks may differ slightly: negative times count as 0. */
export async function followInRows(db: Database, report: WatchReport): Promise<Followed> {
  const { name, watchedSeconds, now } = report
  const passedMs = greaterOf(sql`"excluded"."lastAt" - "watching"."lastAt"`, sql.lit(0))
  // A reopened page counts from 0.
  const reported = lesserOf(sql`"watching"."watchedSeconds"`, sql`"excluded"."watchedSeconds"`)
  const fresh = lesserOf(sql`"excluded"."watchedSeconds" - ${reported}`, sql`${passedMs} / 1000.0`)
  const { rows } = await sql<Followed>`
    INSERT INTO "watching" ("name", "firstAt", "lastAt", "watchedSeconds", "freshSeconds")
    VALUES (${name}, ${now}, ${now}, ${watchedSeconds}, 0)
    ON CONFLICT ("name") DO UPDATE SET
      "lastAt" = ${greaterOf(sql`"excluded"."lastAt"`, sql`"watching"."lastAt"`)},
      "watchedSeconds" = "excluded"."watchedSeconds",
      "freshSeconds" = ${fresh}
    RETURNING ("lastAt" - "firstAt") / 1000.0 AS "passed", "freshSeconds" AS "fresh"`.execute(db)
  return rows[0] ?? { passed: 0, fresh: 0 }
}

/** Milliseconds. */
export async function deleteIdleWatching(db: Database, before: number): Promise<void> {
  await db.deleteFrom('watching').where('lastAt', '<', before).execute()
}
