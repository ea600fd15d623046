import { type Kysely, sql } from 'kysely'

const LEVELS = `'public', 'members', 'unlisted', 'private'`
const visibility = (table: string) =>
  `ALTER TABLE "${table}" ADD COLUMN "visibility" TEXT NOT NULL DEFAULT 'public' CHECK ("visibility" IN (${LEVELS}))`

const WAS_PUBLISHED = `(OLD."processingState" = 'ready' AND OLD."contentApproved" = 1)`
const IS_PUBLISHED = `(NEW."processingState" = 'ready' AND NEW."contentApproved" = 1)`
const WAS_PUBLIC = `(${WAS_PUBLISHED} AND OLD."visibility" = 'public')`
const IS_PUBLIC = `(${IS_PUBLISHED} AND NEW."visibility" = 'public')`

/** The level stands last in them, so that it is compared without a look at the row. */
const PUBLISHED = `WHERE "processingState" = 'ready' AND "contentApproved" = 1`

/** Who may see videos and playlists, share links to them, downloads, and videos that expire or are replaced. */
const columns = [
  visibility('videos'),
  `ALTER TABLE "videos" ADD COLUMN "addressKey" TEXT`,
  `CREATE UNIQUE INDEX "videosByAddress" ON "videos" (coalesce("addressKey", "mediaKey"))`,
  `ALTER TABLE "videos" ADD COLUMN "allowsDownload" INTEGER NOT NULL DEFAULT 1 CHECK ("allowsDownload" IN (0, 1))`,
  `ALTER TABLE "videos" ADD COLUMN "downloadCount" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "expiresAt" TEXT`,
  `ALTER TABLE "videos" ADD COLUMN "expiryAction" TEXT CHECK ("expiryAction" IN ('private', 'delete'))`,
  `ALTER TABLE "videos" ADD COLUMN "expiryNoticedAt" TEXT`,
  `CREATE INDEX "videosByExpiry" ON "videos" ("expiresAt") WHERE "expiresAt" IS NOT NULL`,

  visibility('playlists'),
  `UPDATE "playlists" SET "visibility" = 'private' WHERE "isPublic" = 0`,
  `ALTER TABLE "playlists" DROP COLUMN "isPublic"`,

  `ALTER TABLE "uploads" ADD COLUMN "visibility" TEXT CHECK ("visibility" IN (${LEVELS}))`,
  `ALTER TABLE "uploads" ADD COLUMN "replacesVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL`,
  `CREATE INDEX "uploadsByReplaced" ON "uploads" ("replacesVideoId") WHERE "replacesVideoId" IS NOT NULL`,

  `ALTER TABLE "users" ADD COLUMN "defaultVisibility" TEXT CHECK ("defaultVisibility" IN (${LEVELS}))`,
  `ALTER TABLE "siteSettings" ADD COLUMN "defaultVisibility" TEXT NOT NULL DEFAULT 'public'
    CHECK ("defaultVisibility" IN (${LEVELS}))`,
  `ALTER TABLE "siteSettings" ADD COLUMN "audience" TEXT NOT NULL DEFAULT 'everybody'
    CHECK ("audience" IN ('everybody', 'members'))`,
  `ALTER TABLE "siteSettings" ADD COLUMN "allowsDownloads" INTEGER NOT NULL DEFAULT 0
    CHECK ("allowsDownloads" IN (0, 1))`,

  `CREATE TABLE "videoMembers" (
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    PRIMARY KEY ("videoId", "userId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "videoMembersByUser" ON "videoMembers" ("userId")`,
  `CREATE TABLE "playlistMembers" (
    "playlistId" INTEGER NOT NULL REFERENCES "playlists" ("id") ON DELETE CASCADE,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    PRIMARY KEY ("playlistId", "userId")
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX "playlistMembersByUser" ON "playlistMembers" ("userId")`,

  `CREATE TABLE "shareLinks" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE CASCADE,
    "playlistId" INTEGER REFERENCES "playlists" ("id") ON DELETE CASCADE,
    "tokenHash" TEXT NOT NULL UNIQUE,
    "note" TEXT NOT NULL DEFAULT '',
    "passwordHash" TEXT,
    "expiresAt" TEXT,
    "maxViews" INTEGER CHECK ("maxViews" > 0),
    "views" INTEGER NOT NULL DEFAULT 0,
    "createdBy" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    "lastUsedAt" TEXT,
    "revokedAt" TEXT,
    CHECK (("videoId" IS NULL) <> ("playlistId" IS NULL))
  ) STRICT`,
  `CREATE INDEX "shareLinksByVideo" ON "shareLinks" ("videoId", "id" DESC) WHERE "videoId" IS NOT NULL`,
  `CREATE INDEX "shareLinksByPlaylist" ON "shareLinks" ("playlistId", "id" DESC) WHERE "playlistId" IS NOT NULL`,
  `CREATE INDEX "shareLinksByCreator" ON "shareLinks" ("createdBy")`,
]

const indexes = [
  `DROP INDEX "publicVideosByTime"`,
  `CREATE INDEX "publishedVideosByTime" ON "videos" ("publishedAt" DESC, "id" DESC, "visibility") ${PUBLISHED}`,
  `DROP INDEX "publicVideosByCategory"`,
  `CREATE INDEX "publishedVideosByCategory" ON "videos" ("category", "publishedAt" DESC, "id" DESC, "visibility") ${PUBLISHED}`,
  `DROP INDEX "publicVideosByViews"`,
  `CREATE INDEX "publishedVideosByViews" ON "videos" ("viewCount" DESC, "id" DESC, "visibility") ${PUBLISHED}`,
]

/** The search index has the videos that are published, each with its level; a category counts its public ones. */
const triggers = [
  `DROP TRIGGER "videoToIndexAgain"`,
  `CREATE TRIGGER "videoToIndexAgain"
    AFTER UPDATE OF "userId", "title", "description", "tags", "category", "isAnonymous", "processingState",
      "contentApproved", "visibility" ON "videos"
    WHEN ${WAS_PUBLISHED} OR ${IS_PUBLISHED} OR OLD."title" <> NEW."title" BEGIN
    INSERT INTO "searchOutbox" ("kind", "id")
      SELECT 'video', NEW."id"
      WHERE NOT EXISTS (SELECT 1 FROM "searchOutbox" WHERE "kind" = 'video' AND "id" = NEW."id");
  END`,
  `DROP TRIGGER "categoryGained"`,
  `CREATE TRIGGER "categoryGained" AFTER INSERT ON "videos" WHEN ${IS_PUBLIC} BEGIN
    INSERT INTO "categoryTotals" ("category", "publicVideos")
      SELECT NEW."category", 0
      WHERE NOT EXISTS (SELECT 1 FROM "categoryTotals" WHERE "category" = NEW."category");
    UPDATE "categoryTotals" SET "publicVideos" = "publicVideos" + 1 WHERE "category" = NEW."category";
  END`,
  `DROP TRIGGER "categoryLost"`,
  `CREATE TRIGGER "categoryLost" AFTER DELETE ON "videos" WHEN ${WAS_PUBLIC} BEGIN
    UPDATE "categoryTotals" SET "publicVideos" = "publicVideos" - 1 WHERE "category" = OLD."category";
  END`,
  `DROP TRIGGER "categoryChanged"`,
  `CREATE TRIGGER "categoryChanged"
    AFTER UPDATE OF "category", "processingState", "contentApproved", "visibility" ON "videos"
    WHEN ${WAS_PUBLIC} <> ${IS_PUBLIC} OR OLD."category" <> NEW."category" BEGIN
    UPDATE "categoryTotals"
      SET "publicVideos" = "publicVideos" - 1
      WHERE ${WAS_PUBLIC} AND "category" = OLD."category";
    INSERT INTO "categoryTotals" ("category", "publicVideos")
      SELECT NEW."category", 0
      WHERE ${IS_PUBLIC}
        AND NOT EXISTS (SELECT 1 FROM "categoryTotals" WHERE "category" = NEW."category");
    UPDATE "categoryTotals"
      SET "publicVideos" = "publicVideos" + 1
      WHERE ${IS_PUBLIC} AND "category" = NEW."category";
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...columns, ...indexes, ...triggers])
    await sql.raw(statement).execute(db)
}
