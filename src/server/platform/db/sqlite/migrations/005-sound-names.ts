import { type Kysely, sql } from 'kysely'

/** What the sound tracks of a video are called. */
const statements = [
  `CREATE TABLE "soundNames" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "name" TEXT,
    "kind" TEXT CHECK ("kind" IN ('game', 'voice', 'chat', 'music')),
    PRIMARY KEY ("videoId", "number")
  ) STRICT, WITHOUT ROWID`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
