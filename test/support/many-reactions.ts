import { sql } from 'kysely'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { recount } from '#server/video/reaction/reaction.queries.ts'
import { REACTION_KINDS, REACTIONS_PER_VIDEO_MAX } from '#shared/reactions.ts'

/** Adds reactions of as many new members as needed; all seconds and kinds have some. */
export async function addReactions(
  db: Database,
  input: { videoId: number; durationSeconds: number; count: number },
): Promise<void> {
  const { videoId, durationSeconds, count } = input
  const members = Math.ceil(count / REACTIONS_PER_VIDEO_MAX)
  const kind = REACTION_KINDS.map(
    (name, index) => sql`WHEN ${sql.lit(index)} THEN ${sql.lit(name)}`,
  )
  await inTransaction(db, async (transaction) => {
    await sql`
      INSERT INTO "users" ("username", "password", "email", "displayName", "createdAt")
      WITH RECURSIVE "numbers" ("number") AS (
        SELECT 1 UNION ALL SELECT "number" + 1 FROM "numbers" WHERE "number" < ${members}
      )
      SELECT 'reacting' || "number" || 'to' || ${sql.lit(String(videoId))}, '',
        'reacting' || "number" || 'to' || ${sql.lit(String(videoId))} || '@example.org', 'Someone', ''
      FROM "numbers"`.execute(transaction)
    await sql`
      INSERT INTO "videoReactions" ("videoId", "userId", "second", "kind")
      WITH RECURSIVE "numbers" ("number") AS (
        SELECT 0 UNION ALL SELECT "number" + 1 FROM "numbers"
        WHERE "number" < ${REACTIONS_PER_VIDEO_MAX - 1}
      )
      SELECT ${sql.lit(videoId)}, "id", ("id" * 17 + "number" * 113) % ${sql.lit(durationSeconds)},
        CASE ("id" + "number") % 6 ${sql.join(kind, sql` `)} END
      FROM "users" CROSS JOIN "numbers"
      WHERE "username" LIKE ${`reacting%to${videoId}`}
      ON CONFLICT DO NOTHING`.execute(transaction)
    await recount(transaction, { videoId, durationSeconds })
  })
}
