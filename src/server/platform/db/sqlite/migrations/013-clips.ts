import { type Kysely, sql } from 'kysely'

/**
 * Clips: ranges of videos that members chose. A comment on a clip names its video too, so that whatever decides about
 * comments by their video goes for it.
 */
const statements = [
  `CREATE TABLE "clips" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "title" TEXT NOT NULL,
    "foldedTitle" TEXT NOT NULL,
    "startSeconds" REAL NOT NULL CHECK ("startSeconds" >= 0),
    "endSeconds" REAL NOT NULL CHECK ("endSeconds" > "startSeconds"),
    "createdAt" TEXT NOT NULL,
    "viewCount" INTEGER NOT NULL DEFAULT 0,
    "likeCount" INTEGER NOT NULL DEFAULT 0,
    "fileState" TEXT NOT NULL DEFAULT 'none' CHECK ("fileState" IN ('none', 'wanted', 'made', 'failed')),
    "shareFile" TEXT,
    "pictureFile" TEXT
  ) STRICT`,
  `CREATE INDEX "clipsByLikes" ON "clips" ("videoId", "likeCount" DESC, "id" DESC)`,
  `CREATE INDEX "clipsByUser" ON "clips" ("userId", "id" DESC)`,
  `CREATE INDEX "clipsByTime" ON "clips" ("createdAt")`,
  `CREATE INDEX "clipsWithoutFile" ON "clips" ("videoId", "id") WHERE "fileState" = 'wanted'`,
  `CREATE TABLE "clipLikes" (
    "clipId" INTEGER NOT NULL REFERENCES "clips" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    PRIMARY KEY ("clipId", "userId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "clipLikesByUser" ON "clipLikes" ("userId")`,
  `CREATE TABLE "clipViews" (
    "clipId" INTEGER NOT NULL REFERENCES "clips" ("id") ON DELETE CASCADE,
    "viewerKey" TEXT NOT NULL,
    "viewedAt" TEXT NOT NULL,
    PRIMARY KEY ("clipId", "viewerKey")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "clipViewsByTime" ON "clipViews" ("viewedAt")`,
  `ALTER TABLE "comments" ADD COLUMN "clipId" INTEGER REFERENCES "clips" ("id") ON DELETE CASCADE`,
  `CREATE INDEX "commentsByClip" ON "comments" ("clipId", "createdAt" DESC, "id" DESC)
    WHERE "clipId" IS NOT NULL`,
  `DROP INDEX "topCommentsByVideo"`,
  `CREATE INDEX "topCommentsByVideo" ON "comments" ("videoId", "createdAt" DESC, "id" DESC)
    WHERE "parentId" IS NULL AND "clipId" IS NULL`,
  `ALTER TABLE "videos" ADD COLUMN "allowsClips" INTEGER NOT NULL DEFAULT 1 CHECK ("allowsClips" IN (0, 1))`,
  `ALTER TABLE "videos" ADD COLUMN "allowsClipVideos" INTEGER NOT NULL DEFAULT 0 CHECK ("allowsClipVideos" IN (0, 1))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
