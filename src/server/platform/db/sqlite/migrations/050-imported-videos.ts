import { type Kysely, sql } from 'kysely'

/** Videos that came from another program. */
const statements = [
  `CREATE TABLE "importedVideos" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "source" TEXT NOT NULL CHECK ("source" = 'fireshare'),
    "sourceId" TEXT NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('sending', 'published', 'done')),
    "uploadId" TEXT UNIQUE,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "publishedAt" TEXT NOT NULL,
    "viewCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    UNIQUE ("userId", "source", "sourceId")
  ) STRICT`,
  `CREATE INDEX "importedVideosByVideo" ON "importedVideos" ("videoId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
