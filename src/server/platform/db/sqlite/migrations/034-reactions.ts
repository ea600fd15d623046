import { type Kysely, sql } from 'kysely'

/**
 * What members felt at a second of a video. Pages read the counts, of which a video has at most some hundred: reading
 * 100,000 reactions takes too long.
 */
const statements = [
  `CREATE TABLE "videoReactions" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "second" INTEGER NOT NULL,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('fire', 'laugh', 'wow', 'heart', 'skull', 'gg')),
    PRIMARY KEY ("videoId", "userId", "second")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "videoReactionsByUser" ON "videoReactions" ("userId")`,
  `CREATE TABLE "reactionCounts" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "second" INTEGER NOT NULL,
    "fire" INTEGER NOT NULL DEFAULT 0,
    "laugh" INTEGER NOT NULL DEFAULT 0,
    "wow" INTEGER NOT NULL DEFAULT 0,
    "heart" INTEGER NOT NULL DEFAULT 0,
    "skull" INTEGER NOT NULL DEFAULT 0,
    "gg" INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY ("videoId", "second")
  ) STRICT, WITHOUT ROWID`,
  `ALTER TABLE "videos" ADD COLUMN "allowsReactions" INTEGER NOT NULL DEFAULT 1 CHECK ("allowsReactions" IN (0, 1))`,
  `ALTER TABLE "users" ADD COLUMN "showsPresence" INTEGER NOT NULL DEFAULT 0 CHECK ("showsPresence" IN (0, 1))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
