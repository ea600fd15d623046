import { type Kysely, sql } from 'kysely'

/**
 * The search index has the videos for members too, and counts words and tags for either audience. Up to now
 * it had public ones alone.
 */
const statements = [
  `ALTER TABLE "searchedVideos" ADD COLUMN "visibility" TEXT NOT NULL DEFAULT 'public'
    CHECK ("visibility" IN ('public', 'members'))`,
  `ALTER TABLE "searchedVideos" ADD COLUMN "tags" TEXT NOT NULL DEFAULT '[]'`,
  `UPDATE "searchedVideos" SET "tags" = (
    SELECT json_group_array("tag") FROM (
      SELECT "tag" FROM "videoTags" WHERE "videoId" = "searchedVideos"."videoId" ORDER BY "tag"
    )
  )`,

  `ALTER TABLE "searchTerms" ADD COLUMN "publicCount" INTEGER NOT NULL DEFAULT 0`,
  `UPDATE "searchTerms" SET "publicCount" = "videoCount"`,

  `CREATE TABLE "searchTags" (
    "tag" TEXT PRIMARY KEY,
    "videoCount" INTEGER NOT NULL,
    "publicCount" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO "searchTags" ("tag", "videoCount", "publicCount")
    SELECT "tag", count(*), count(*) FROM "videoTags"
    JOIN "searchedVideos" ON "searchedVideos"."videoId" = "videoTags"."videoId"
    GROUP BY "tag"`,

  `INSERT INTO "searchOutbox" ("kind", "id")
    SELECT 'video', "id" FROM "videos"
    WHERE "visibility" <> 'public'
      AND NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'video' AND "id" = "videos"."id")`,

  `DROP INDEX "videosByChannel"`,
  `CREATE INDEX "videosByChannel" ON "videos"
    ("userId", "id", "processingState", "contentApproved", "visibility", "isAnonymous")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
