import { type Kysely, sql } from 'kysely'

const columns = [
  // Who pays for a file that is not the video's owner's: the maker of its clip.
  `ALTER TABLE "mediaFiles" ADD COLUMN "makerId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL`,
  // Parts of "storageBytes" by what their files are, maintained by triggers.
  `ALTER TABLE "videos" ADD COLUMN "clipBytes" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "captionBytes" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "pictureBytes" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "shareBytes" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "users" ADD COLUMN "avatarBytes" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "users" ADD COLUMN "bannerBytes" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "uploads" ADD COLUMN "thumbnailBytes" INTEGER NOT NULL DEFAULT 0`,
  // Whose turn a job of clips was taken for, and when the file of a clip was begun.
  `ALTER TABLE "jobs" ADD COLUMN "makerId" INTEGER REFERENCES "users" ("id") ON DELETE SET NULL`,
  `ALTER TABLE "clips" ADD COLUMN "fileBegunAt" TEXT`,
]

const oldTriggers = [
  `DROP TRIGGER "videoBytesAdded"`,
  `DROP TRIGGER "videoBytesChanged"`,
  `DROP TRIGGER "videoBytesRemoved"`,
  `DROP TRIGGER "mediaFileAdded"`,
  `DROP TRIGGER "mediaFileChanged"`,
  `DROP TRIGGER "mediaFileRemoved"`,
]

// The files of a clip are called 'clip-<id>-<random>'.
const counts = [
  `UPDATE "mediaFiles" SET "makerId" = (
    SELECT "userId" FROM "clips"
    WHERE "clips"."id" = CAST(substr("mediaFiles"."name", 6) AS INTEGER)
  ) WHERE "name" LIKE 'clip-%'`,
  `WITH "sums" AS (
    SELECT "videoId",
      coalesce(sum(CASE WHEN "makerId" IS NOT NULL THEN "bytes" END), 0) AS "clips",
      coalesce(sum(CASE WHEN "makerId" IS NULL AND "kind" = 'captions' THEN "bytes" END), 0) AS "captions",
      coalesce(sum(CASE WHEN "makerId" IS NULL AND "kind" = 'picture' THEN "bytes" END), 0) AS "pictures",
      coalesce(sum(CASE WHEN "makerId" IS NULL AND "kind" = 'share' THEN "bytes" END), 0) AS "shares"
    FROM "mediaFiles" GROUP BY "videoId"
  )
  UPDATE "videos" SET "clipBytes" = "sums"."clips", "captionBytes" = "sums"."captions",
    "pictureBytes" = "sums"."pictures", "shareBytes" = "sums"."shares"
  FROM "sums" WHERE "sums"."videoId" = "videos"."id"`,
  `UPDATE "users" SET "storageBytes" =
    coalesce((SELECT sum("storageBytes" - "clipBytes") FROM "videos" WHERE "userId" = "users"."id"), 0)
    + coalesce((SELECT sum("bytes") FROM "mediaFiles" WHERE "makerId" = "users"."id"), 0)
    + coalesce((SELECT sum("fileSize") FROM "uploads"
      WHERE "userId" = "users"."id" AND "state" IN ('receiving', 'finalizing')), 0)`,
]

const indexes = [
  `CREATE INDEX "mediaFilesByMaker" ON "mediaFiles" ("makerId", "bytes") WHERE "makerId" IS NOT NULL`,
  `CREATE INDEX "videosByHeldBytes" ON "videos" ("userId", "processingState", "storageBytes", "clipBytes",
    "captionBytes", "pictureBytes", "shareBytes")`,
  `CREATE INDEX "jobsByMaker" ON "jobs" ("makerId") WHERE "makerId" IS NOT NULL`,
  `CREATE INDEX "wantedClipsByUser" ON "clips" ("userId") WHERE "fileState" = 'wanted'`,
  `CREATE INDEX "clipsByServing" ON "clips" ("fileBegunAt", "userId") WHERE "fileBegunAt" IS NOT NULL`,
]

// ROW and SIGN are replaced below.
const FILE_BYTES = `
    INSERT INTO "storageTotals" ("kind", "bytes")
      SELECT ROW."kind", 0
      WHERE NOT EXISTS (SELECT 1 FROM "storageTotals" WHERE "kind" = ROW."kind");
    UPDATE "storageTotals"
      SET "bytes" = "bytes" SIGN coalesce(ROW."bytes", 0)
      WHERE "kind" = ROW."kind";
    UPDATE "videos"
      SET "listedBytes" = "listedBytes" SIGN coalesce(ROW."bytes", 0)
      WHERE "id" = ROW."videoId";
    UPDATE "videos"
      SET "clipBytes" = "clipBytes" SIGN coalesce(ROW."bytes", 0)
      WHERE "id" = ROW."videoId" AND ROW."makerId" IS NOT NULL;
    UPDATE "videos"
      SET "captionBytes" = "captionBytes" SIGN coalesce(ROW."bytes", 0)
      WHERE "id" = ROW."videoId" AND ROW."makerId" IS NULL AND ROW."kind" = 'captions';
    UPDATE "videos"
      SET "pictureBytes" = "pictureBytes" SIGN coalesce(ROW."bytes", 0)
      WHERE "id" = ROW."videoId" AND ROW."makerId" IS NULL AND ROW."kind" = 'picture';
    UPDATE "videos"
      SET "shareBytes" = "shareBytes" SIGN coalesce(ROW."bytes", 0)
      WHERE "id" = ROW."videoId" AND ROW."makerId" IS NULL AND ROW."kind" = 'share';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" SIGN coalesce(ROW."bytes", 0)
      WHERE "id" = ROW."makerId";`
const FILE_COMES = FILE_BYTES.replaceAll('ROW', 'NEW').replaceAll('SIGN', '+')
const FILE_GOES = FILE_BYTES.replaceAll('ROW', 'OLD').replaceAll('SIGN', '-')

// What an upload that is under way holds.
const UPLOAD_BYTES = `CASE WHEN ROW."state" IN ('receiving', 'finalizing')
        THEN ROW."fileSize" + ROW."thumbnailBytes" ELSE 0 END`
const HELD_NOW = UPLOAD_BYTES.replaceAll('ROW', 'NEW')
const HELD_BEFORE = UPLOAD_BYTES.replaceAll('ROW', 'OLD')

const triggers = [
  `CREATE TRIGGER "videoBytesAdded" AFTER INSERT ON "videos" BEGIN
    UPDATE "storageTotals" SET "bytes" = "bytes" + NEW."storageBytes" WHERE "kind" = 'all';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + NEW."storageBytes" - NEW."clipBytes"
      WHERE "id" = NEW."userId";
  END`,
  `CREATE TRIGGER "videoBytesChanged" AFTER UPDATE OF "storageBytes", "clipBytes" ON "videos"
    WHEN NEW."storageBytes" <> OLD."storageBytes" OR NEW."clipBytes" <> OLD."clipBytes" BEGIN
    UPDATE "storageTotals"
      SET "bytes" = "bytes" + NEW."storageBytes" - OLD."storageBytes"
      WHERE "kind" = 'all';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + NEW."storageBytes" - NEW."clipBytes"
        - OLD."storageBytes" + OLD."clipBytes"
      WHERE "id" = NEW."userId";
  END`,
  `CREATE TRIGGER "videoBytesRemoved" AFTER DELETE ON "videos" BEGIN
    UPDATE "storageTotals" SET "bytes" = "bytes" - OLD."storageBytes" WHERE "kind" = 'all';
    UPDATE "users"
      SET "storageBytes" = "storageBytes" - OLD."storageBytes" + OLD."clipBytes"
      WHERE "id" = OLD."userId";
  END`,
  `CREATE TRIGGER "mediaFileAdded" AFTER INSERT ON "mediaFiles" BEGIN${FILE_COMES}
  END`,
  `CREATE TRIGGER "mediaFileChanged" AFTER UPDATE OF "kind", "bytes", "makerId" ON "mediaFiles" BEGIN${FILE_GOES}${FILE_COMES}
  END`,
  `CREATE TRIGGER "mediaFileRemoved" AFTER DELETE ON "mediaFiles" BEGIN${FILE_GOES}
  END`,
  `CREATE TRIGGER "uploadBytesAdded" AFTER INSERT ON "uploads" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + ${HELD_NOW}
      WHERE "id" = NEW."userId";
  END`,
  `CREATE TRIGGER "uploadBytesChanged"
    AFTER UPDATE OF "state", "fileSize", "thumbnailBytes" ON "uploads" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + ${HELD_NOW} - ${HELD_BEFORE}
      WHERE "id" = NEW."userId";
  END`,
  `CREATE TRIGGER "uploadBytesRemoved" AFTER DELETE ON "uploads" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" - ${HELD_BEFORE}
      WHERE "id" = OLD."userId";
  END`,
  `CREATE TRIGGER "channelBytesChanged" AFTER UPDATE OF "avatarBytes", "bannerBytes" ON "users" BEGIN
    UPDATE "users"
      SET "storageBytes" = "storageBytes" + NEW."avatarBytes" + NEW."bannerBytes"
        - OLD."avatarBytes" - OLD."bannerBytes"
      WHERE "id" = NEW."id";
  END`,
]

/**
 * Counts all that lies on the disk for a member in "users"."storageBytes": videos without the files of clips, the files of
 * their clips wherever these lie, uploads under way with their pictures, avatar and banner. The sizes of avatars and banners
 * from before are found by the janitor.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...columns, ...oldTriggers, ...counts, ...indexes, ...triggers]) {
    await sql.raw(statement).execute(db)
  }
}
