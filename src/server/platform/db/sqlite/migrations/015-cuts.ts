import { type Kysely, sql } from 'kysely'

/** Recordings that are cut out of others, and those that wait to be brought back. */
const statements = [
  `CREATE TABLE "cuts" (
    "videoId" INTEGER PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE,
    "sourceVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "replaces" INTEGER NOT NULL CHECK ("replaces" IN (0, 1)),
    "parts" TEXT NOT NULL,
    "sourceMediaKey" TEXT NOT NULL DEFAULT '',
    "before" TEXT,
    "parkedAt" TEXT,
    "createdAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX "cutsBySource" ON "cuts" ("sourceVideoId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
