import { type Kysely, sql } from 'kysely'

/**
 * What members felt at a second of a video. Pages read the counts, of which a video has at most some hundred: reading
 * 100,000 reactions takes too long.
 */
const statements = [
  `CREATE TABLE "videoReactions" (
    "videoId" bigint NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" bigint NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "second" bigint NOT NULL,
    "kind" text COLLATE "C" NOT NULL CHECK ("kind" IN ('fire', 'laugh', 'wow', 'heart', 'skull', 'gg')),
    PRIMARY KEY ("videoId", "userId", "second")
  )`,
  `CREATE INDEX "videoReactionsByUser" ON "videoReactions" ("userId")`,
  `CREATE TABLE "reactionCounts" (
    "videoId" bigint NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "second" bigint NOT NULL,
    "fire" bigint NOT NULL DEFAULT 0,
    "laugh" bigint NOT NULL DEFAULT 0,
    "wow" bigint NOT NULL DEFAULT 0,
    "heart" bigint NOT NULL DEFAULT 0,
    "skull" bigint NOT NULL DEFAULT 0,
    "gg" bigint NOT NULL DEFAULT 0,
    PRIMARY KEY ("videoId", "second")
  )`,
  `ALTER TABLE "videos" ADD COLUMN "allowsReactions" bigint NOT NULL DEFAULT 1 CHECK ("allowsReactions" IN (0, 1))`,
  `ALTER TABLE "users" ADD COLUMN "showsPresence" bigint NOT NULL DEFAULT 0 CHECK ("showsPresence" IN (0, 1))`,
  `CREATE TRIGGER "noteChange" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "reactionCounts"
    FOR EACH STATEMENT EXECUTE FUNCTION "noteChange"()`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
