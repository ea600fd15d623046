import { type Kysely, sql } from 'kysely'

/**
 * Comments on posts are comments like those on videos and clips. They get new ids, as both tables had their own: the
 * last that a comment had, and the old one on top.
 */
const moveComments = [
  `CREATE TABLE "moved" ("lastId" INTEGER NOT NULL)`,
  `INSERT INTO "moved" SELECT coalesce(max("seq"), 0) FROM "sqlite_sequence" WHERE "name" = 'comments'`,
  `ALTER TABLE "comments" ALTER COLUMN "videoId" DROP NOT NULL`,
  `ALTER TABLE "comments" ADD COLUMN "postId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE
    CHECK (("videoId" IS NOT NULL) + ("postId" IS NOT NULL) = 1)
    CHECK ("clipId" IS NULL OR "videoId" IS NOT NULL)`,
  `INSERT INTO "comments" ("id", "postId", "userId", "content", "likeCount", "dislikeCount", "parentId",
      "createdAt", "editedAt", "withheld")
    SELECT (SELECT "lastId" FROM "moved") + "id", "parentId", "userId", "content", "likeCount", "dislikeCount",
      (SELECT "lastId" FROM "moved") + "topCommentId", "createdAt", "editedAt", "withheld"
    FROM "posts" WHERE "parentId" IS NOT NULL ORDER BY "id"`,
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

/** Likes of videos, clips, comments and posts are rows of one table. It is made anew, as its condition names the columns. */
const joinLikes = [
  `ALTER TABLE "clips" ADD COLUMN "dislikeCount" INTEGER NOT NULL DEFAULT 0`,
  `CREATE TABLE "newLikes" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE CASCADE,
    "clipId" INTEGER REFERENCES "clips" ("id") ON DELETE CASCADE,
    "commentId" INTEGER REFERENCES "comments" ("id") ON DELETE CASCADE,
    "postId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE,
    "isLike" INTEGER NOT NULL CHECK ("isLike" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    CHECK (("videoId" IS NOT NULL) + ("clipId" IS NOT NULL) + ("commentId" IS NOT NULL)
      + ("postId" IS NOT NULL) = 1)
  ) STRICT`,
  `INSERT INTO "newLikes" ("id", "userId", "videoId", "commentId", "isLike", "createdAt")
    SELECT "id", "userId", "videoId", "commentId", "isLike", "createdAt" FROM "likes"`,
  `INSERT INTO "newLikes" ("userId", "clipId", "isLike", "createdAt")
    SELECT "userId", "clipId", 1, "createdAt" FROM "clipLikes"`,
  // When a post was liked was not stored.
  `INSERT INTO "newLikes" ("userId", "postId", "commentId", "isLike", "createdAt")
    SELECT "postLikes"."userId",
      CASE WHEN "posts"."parentId" IS NULL THEN "posts"."id" END,
      CASE WHEN "posts"."parentId" IS NOT NULL THEN (SELECT "lastId" FROM "moved") + "posts"."id" END,
      "postLikes"."isLike", "posts"."createdAt"
    FROM "postLikes" JOIN "posts" ON "posts"."id" = "postLikes"."postId"`,
  `DROP TABLE "likes"`,
  `DROP TABLE "clipLikes"`,
  `DROP TABLE "postLikes"`,
  `ALTER TABLE "newLikes" RENAME TO "likes"`,
  `CREATE UNIQUE INDEX "likesByUserAndVideo" ON "likes" ("userId", "videoId")
    WHERE "videoId" IS NOT NULL`,
  `CREATE UNIQUE INDEX "likesByUserAndComment" ON "likes" ("userId", "commentId")
    WHERE "commentId" IS NOT NULL`,
  `CREATE UNIQUE INDEX "likesByClip" ON "likes" ("clipId", "userId") WHERE "clipId" IS NOT NULL`,
  `CREATE UNIQUE INDEX "likesByPost" ON "likes" ("postId", "userId") WHERE "postId" IS NOT NULL`,
  `CREATE INDEX "likesByUser" ON "likes" ("userId")`,
  `CREATE INDEX "likesByVideo" ON "likes" ("videoId") WHERE "videoId" IS NOT NULL`,
  `CREATE INDEX "likesByComment" ON "likes" ("commentId") WHERE "commentId" IS NOT NULL`,
  `CREATE INDEX "likesByTime" ON "likes" ("createdAt") WHERE "videoId" IS NOT NULL AND "isLike" = 1`,
  `CREATE INDEX "likedVideos" ON "likes" ("userId", "createdAt" DESC, "videoId" DESC)
    WHERE "videoId" IS NOT NULL AND "isLike" = 1`,
  `CREATE TRIGGER "videoLiked" AFTER INSERT ON "likes"
    WHEN NEW."videoId" IS NOT NULL AND NEW."isLike" = 1 BEGIN
    INSERT INTO "videoDays" ("videoId", "day")
      SELECT NEW."videoId", substr(NEW."createdAt", 1, 10)
      WHERE NOT EXISTS (SELECT 1 FROM "videoDays" WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10));
    UPDATE "videoDays"
      SET "likes" = "likes" + 1
      WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10);
  END`,
  `CREATE TRIGGER "videoLikeFlipped" AFTER UPDATE OF "isLike", "createdAt" ON "likes"
    WHEN NEW."videoId" IS NOT NULL BEGIN
    UPDATE "videoDays"
      SET "likes" = "likes" - OLD."isLike"
      WHERE "videoId" = OLD."videoId" AND "day" = substr(OLD."createdAt", 1, 10);
    INSERT INTO "videoDays" ("videoId", "day")
      SELECT NEW."videoId", substr(NEW."createdAt", 1, 10)
      WHERE NOT EXISTS (SELECT 1 FROM "videoDays" WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10));
    UPDATE "videoDays"
      SET "likes" = "likes" + NEW."isLike"
      WHERE "videoId" = NEW."videoId" AND "day" = substr(NEW."createdAt", 1, 10);
  END`,
  `CREATE TRIGGER "videoUnliked" AFTER DELETE ON "likes"
    WHEN OLD."videoId" IS NOT NULL AND OLD."isLike" = 1 BEGIN
    UPDATE "videoDays"
      SET "likes" = "likes" - 1
      WHERE "videoId" = OLD."videoId" AND "day" = substr(OLD."createdAt", 1, 10);
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [...moveComments, ...indexComments, ...joinLikes, ...keepPosts]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
