import { type Kysely, sql } from 'kysely'

/**
 * Community posts with the comments on them, the channels that a channel features, and who played along
 * in a video. Reports can be about posts: their table is made anew, as its conditions name the kinds.
 */
const statements = [
  `CREATE TABLE "posts" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "channelId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "parentId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE,
    "content" TEXT NOT NULL,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "likeCount" INTEGER NOT NULL DEFAULT 0,
    "dislikeCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    "editedAt" TEXT,
    "withheld" TEXT CHECK ("withheld" IN ('held', 'hidden', 'banned'))
  ) STRICT`,
  `CREATE INDEX "postsByChannel" ON "posts" ("channelId", "createdAt" DESC, "id" DESC)
    WHERE "parentId" IS NULL`,
  `CREATE INDEX "postsOfChannel" ON "posts" ("channelId")`,
  `CREATE INDEX "commentsByPost" ON "posts" ("parentId", "createdAt" DESC, "id" DESC)
    WHERE "parentId" IS NOT NULL`,
  `CREATE INDEX "postsByUser" ON "posts" ("userId")`,
  `CREATE INDEX "postsByVideo" ON "posts" ("videoId") WHERE "videoId" IS NOT NULL`,
  `CREATE INDEX "heldPosts" ON "posts" ("createdAt", "id") WHERE "withheld" = 'held'`,

  `CREATE TABLE "postLikes" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "postId" INTEGER NOT NULL REFERENCES "posts" ("id") ON DELETE CASCADE,
    "isLike" INTEGER NOT NULL CHECK ("isLike" IN (0, 1)),
    PRIMARY KEY ("userId", "postId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "postLikesByPost" ON "postLikes" ("postId")`,

  `CREATE TABLE "featuredChannels" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "channelId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "position" INTEGER NOT NULL,
    PRIMARY KEY ("userId", "channelId"),
    CHECK ("userId" <> "channelId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "featuredByChannel" ON "featuredChannels" ("channelId")`,

  `CREATE TABLE "participants" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('named', 'removed', 'left')),
    PRIMARY KEY ("videoId", "userId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "participantsByUser" ON "participants" ("userId", "state")`,

  `ALTER TABLE "notifications" ADD COLUMN "postId" INTEGER REFERENCES "posts" ("id") ON DELETE CASCADE`,
  `CREATE INDEX "notificationsByPost" ON "notifications" ("postId") WHERE "postId" IS NOT NULL`,

  `CREATE TABLE "newReports" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "reporterId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('video', 'comment', 'channel', 'post')),
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "commentId" INTEGER REFERENCES "comments" ("id") ON DELETE SET NULL,
    "channelId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "postId" INTEGER REFERENCES "posts" ("id") ON DELETE SET NULL,
    "subject" TEXT NOT NULL,
    "accusedId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('open', 'resolved', 'dismissed')),
    "createdAt" TEXT NOT NULL,
    "closedAt" TEXT,
    "closedBy" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL,
    CHECK (("videoId" IS NOT NULL) + ("commentId" IS NOT NULL) + ("channelId" IS NOT NULL)
      + ("postId" IS NOT NULL) <= 1)
  ) STRICT`,
  `INSERT INTO "newReports" ("id", "reporterId", "kind", "videoId", "commentId", "channelId", "subject",
      "accusedId", "reason", "state", "createdAt", "closedAt", "closedBy")
    SELECT "id", "reporterId", "kind", "videoId", "commentId", "channelId", "subject",
      "accusedId", "reason", "state", "createdAt", "closedAt", "closedBy" FROM "reports"`,
  `DROP TABLE "reports"`,
  `ALTER TABLE "newReports" RENAME TO "reports"`,
  `CREATE INDEX "reportsByState" ON "reports" ("state", "createdAt" DESC, "id" DESC)`,
  `CREATE INDEX "reportsByVideo" ON "reports" ("videoId")`,
  `CREATE INDEX "reportsByComment" ON "reports" ("commentId")`,
  `CREATE INDEX "reportsByChannel" ON "reports" ("channelId")`,
  `CREATE INDEX "reportsByPost" ON "reports" ("postId")`,
  `CREATE INDEX "reportsByAccused" ON "reports" ("accusedId")`,
  `CREATE INDEX "reportsByReporter" ON "reports" ("reporterId")`,
  `CREATE INDEX "reportsByCloser" ON "reports" ("closedBy")`,
  `CREATE UNIQUE INDEX "openReportByTarget" ON "reports" ("reporterId", coalesce("videoId", 0),
      coalesce("commentId", 0), coalesce("channelId", 0), coalesce("postId", 0))
    WHERE "state" = 'open' AND ("videoId" IS NOT NULL OR "commentId" IS NOT NULL
      OR "channelId" IS NOT NULL OR "postId" IS NOT NULL)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
