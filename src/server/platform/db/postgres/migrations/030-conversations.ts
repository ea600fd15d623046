import { type Kysely, sql } from 'kysely'

/** A node of the version before would write to tables and columns that are gone. */
export const needsAllNodes = true

/**
 * Comments on posts are comments like those on videos and clips. They get new ids, as both tables had their own: the
 * last that a comment had, and the old one on top.
 */
const moveComments = [
  `CREATE TABLE "moved" ("lastId" bigint NOT NULL)`,
  `INSERT INTO "moved" SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('"comments"', 'id')::regclass), 0)`,
  `ALTER TABLE "comments"
    ALTER COLUMN "videoId" DROP NOT NULL,
    ADD COLUMN "postId" bigint REFERENCES "posts" ("id") ON DELETE CASCADE`,
  `ALTER TABLE "comments"
    ADD CHECK (num_nonnulls("videoId", "postId") = 1),
    ADD CHECK ("clipId" IS NULL OR "videoId" IS NOT NULL)`,
  `INSERT INTO "comments" ("id", "postId", "userId", "content", "likeCount", "dislikeCount", "parentId",
      "createdAt", "editedAt", "withheld")
    SELECT (SELECT "lastId" FROM "moved") + "id", "parentId", "userId", "content", "likeCount", "dislikeCount",
      (SELECT "lastId" FROM "moved") + "topCommentId", "createdAt", "editedAt", "withheld"
    FROM "posts" WHERE "parentId" IS NOT NULL ORDER BY "id"`,
  `SELECT setval(pg_get_serial_sequence('"comments"', 'id'), max("id")) FROM "comments" HAVING max("id") > (SELECT "lastId" FROM "moved")`,
  `UPDATE "notifications" SET "commentId" = (SELECT "lastId" FROM "moved") + "postId",
      "postId" = (SELECT "parentId" FROM "posts" WHERE "posts"."id" = "notifications"."postId")
    WHERE "postId" IN (SELECT "id" FROM "posts" WHERE "parentId" IS NOT NULL)`,
  `UPDATE "reports" SET "kind" = 'comment', "commentId" = (SELECT "lastId" FROM "moved") + "postId", "postId" = NULL
    WHERE "postId" IN (SELECT "id" FROM "posts" WHERE "parentId" IS NOT NULL)`,
]

const indexComments = [
  `DROP INDEX "bestCommentsByPost"`,
  `CREATE INDEX "topCommentsByPost" ON "comments" ("postId", "createdAt" DESC, "id" DESC)
    WHERE "postId" IS NOT NULL AND "parentId" IS NULL`,
  `CREATE INDEX "bestCommentsByPost" ON "comments" ("postId", ("likeCount" - "dislikeCount") DESC, "id" DESC)
    WHERE "postId" IS NOT NULL AND "parentId" IS NULL`,
  `CREATE INDEX "countedCommentsByPost" ON "comments" ("postId", "withheld") WHERE "postId" IS NOT NULL`,
  `DROP INDEX "commentsByTime"`,
  `CREATE INDEX "commentsByTime" ON "comments" ("createdAt") WHERE "videoId" IS NOT NULL`,
  `DROP INDEX "pinnedComments"`,
  `CREATE UNIQUE INDEX "pinnedByVideoAndClip" ON "comments" ("videoId", coalesce("clipId", 0))
    WHERE "isPinned" = 1 AND "videoId" IS NOT NULL`,
  `CREATE UNIQUE INDEX "pinnedByPost" ON "comments" ("postId") WHERE "isPinned" = 1 AND "postId" IS NOT NULL`,
]

/** Posts are posts only, written by whose channel it is. */
const keepPosts = [
  `DROP TABLE "moved"`,
  `DELETE FROM "posts" WHERE "parentId" IS NOT NULL`,
  `DROP INDEX "postsByChannel"`,
  `DROP INDEX "postsOfChannel"`,
  `DROP INDEX "commentsByPost"`,
  `DROP INDEX "postsByUser"`,
  `DROP INDEX "repliesByComment"`,
  `ALTER TABLE "posts" DROP COLUMN "parentId"`,
  `ALTER TABLE "posts" DROP COLUMN "topCommentId"`,
  `ALTER TABLE "posts" DROP COLUMN "userId"`,
  `CREATE INDEX "postsByChannel" ON "posts" ("channelId", "createdAt" DESC, "id" DESC)`,
]

/** Likes of videos, clips, comments and posts are rows of one table. */
const joinLikes = [
  `ALTER TABLE "clips" ADD COLUMN "dislikeCount" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "likes"
    ADD COLUMN "clipId" bigint REFERENCES "clips" ("id") ON DELETE CASCADE,
    ADD COLUMN "postId" bigint REFERENCES "posts" ("id") ON DELETE CASCADE,
    DROP CONSTRAINT "likes_check"`,
  `ALTER TABLE "likes" ADD CHECK (num_nonnulls("videoId", "clipId", "commentId", "postId") = 1)`,
  `INSERT INTO "likes" ("userId", "clipId", "isLike", "createdAt")
    SELECT "userId", "clipId", 1, "createdAt" FROM "clipLikes"`,
  // When a post was liked was not stored.
  `INSERT INTO "likes" ("userId", "postId", "commentId", "isLike", "createdAt")
    SELECT "postLikes"."userId",
      CASE WHEN "posts"."parentId" IS NULL THEN "posts"."id" END,
      CASE WHEN "posts"."parentId" IS NOT NULL THEN (SELECT "lastId" FROM "moved") + "posts"."id" END,
      "postLikes"."isLike", "posts"."createdAt"
    FROM "postLikes" JOIN "posts" ON "posts"."id" = "postLikes"."postId"`,
  `DROP TABLE "clipLikes"`,
  `DROP TABLE "postLikes"`,
  `CREATE UNIQUE INDEX "likesByClip" ON "likes" ("clipId", "userId") WHERE "clipId" IS NOT NULL`,
  `CREATE UNIQUE INDEX "likesByPost" ON "likes" ("postId", "userId") WHERE "postId" IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [...moveComments, ...indexComments, ...joinLikes, ...keepPosts]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
