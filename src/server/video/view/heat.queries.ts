import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'

export type Heat = { videoId: number; slice: number; seconds: number }

/** Not for deleted videos. */
export async function addHeat(db: DatabaseTransaction, all: Heat[]): Promise<void> {
  for (const { videoId, slice, seconds } of all) {
    await sql`
      INSERT INTO "heat" ("videoId", "slice", "seconds")
      SELECT "id", ${slice}, ${seconds} FROM "videos" WHERE "id" = ${videoId}
      ON CONFLICT ("videoId", "slice") DO UPDATE SET "seconds" = "heat"."seconds" + "excluded"."seconds"`.execute(
      db,
    )
  }
}

export async function listHeat(db: Database, videoId: number): Promise<Heat[]> {
  return db
    .selectFrom('heat')
    .select(['videoId', 'slice', 'seconds'])
    .where('videoId', '=', videoId)
    .execute()
}
