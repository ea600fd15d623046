import { type Kysely, sql } from 'kysely'

const columns = [
  // Who pays for a file that is not the video's owner's: the maker of its clip.
  `ALTER TABLE "mediaFiles" ADD COLUMN "makerId" bigint REFERENCES "users" ("id") ON DELETE SET NULL`,
  // Parts of "storageBytes" by what their files are, maintained by triggers.
  `ALTER TABLE "videos" ADD COLUMN "clipBytes" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "captionBytes" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "pictureBytes" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "shareBytes" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "users" ADD COLUMN "avatarBytes" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "users" ADD COLUMN "bannerBytes" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "uploads" ADD COLUMN "thumbnailBytes" bigint NOT NULL DEFAULT 0`,
  // Whose turn a job of clips was taken for, and when the file of a clip was begun.
  `ALTER TABLE "jobs" ADD COLUMN "makerId" bigint REFERENCES "users" ("id") ON DELETE SET NULL`,
  `ALTER TABLE "clips" ADD COLUMN "fileBegunAt" text COLLATE "C"`,
]

const oldTriggers = [
  `DROP TRIGGER "videoBytesChanged" ON "videos"`,
  `DROP TRIGGER "mediaFileAdded" ON "mediaFiles"`,
  `DROP TRIGGER "mediaFileChanged" ON "mediaFiles"`,
  `DROP TRIGGER "mediaFileRemoved" ON "mediaFiles"`,
  `DROP TRIGGER "videoBytesAdded" ON "videos"`,
  `DROP TRIGGER "videoBytesRemoved" ON "videos"`,
]

// The files of a clip are called 'clip-<id>-<random>'.
const counts = [
  `UPDATE "mediaFiles" SET "makerId" = (
    SELECT "userId" FROM "clips"
    WHERE "clips"."id"::text = split_part("mediaFiles"."name", '-', 2)
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
  FROM "sums" WHERE "sums"."videoId" = "videos"."id"
    AND "sums"."clips" + "sums"."captions" + "sums"."pictures" + "sums"."shares" > 0`,
  `WITH "own" AS (
    SELECT "userId", sum("storageBytes" - "clipBytes") AS "bytes" FROM "videos" GROUP BY "userId"
  ), "made" AS (
    SELECT "makerId" AS "userId", sum("bytes") AS "bytes" FROM "mediaFiles"
    WHERE "makerId" IS NOT NULL GROUP BY "makerId"
  ), "open" AS (
    SELECT "userId", sum("fileSize") AS "bytes" FROM "uploads"
    WHERE "state" IN ('receiving', 'finalizing') GROUP BY "userId"
  )
  UPDATE "users" SET "storageBytes" =
    coalesce((SELECT "bytes" FROM "own" WHERE "own"."userId" = "users"."id"), 0)
    + coalesce((SELECT "bytes" FROM "made" WHERE "made"."userId" = "users"."id"), 0)
    + coalesce((SELECT "bytes" FROM "open" WHERE "open"."userId" = "users"."id"), 0)`,
]

const indexes = [
  `CREATE INDEX "mediaFilesByMaker" ON "mediaFiles" ("makerId", "bytes") WHERE "makerId" IS NOT NULL`,
  `CREATE INDEX "videosByHeldBytes" ON "videos" ("userId", "processingState", "storageBytes", "clipBytes",
    "captionBytes", "pictureBytes", "shareBytes")`,
  `CREATE INDEX "jobsByMaker" ON "jobs" ("makerId") WHERE "makerId" IS NOT NULL`,
  `CREATE INDEX "wantedClipsByUser" ON "clips" ("userId") WHERE "fileState" = 'wanted'`,
  `CREATE INDEX "clipsByServing" ON "clips" ("fileBegunAt", "userId") WHERE "fileBegunAt" IS NOT NULL`,
]

function trigger(name: string, when: string, statements: string): string[] {
  return [
    `CREATE OR REPLACE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${statements}
    RETURN NULL;
  END $$`,
    `CREATE TRIGGER "${name}" ${when.replace(/( WHEN .*)?$/s, ' FOR EACH ROW$1')} EXECUTE FUNCTION "${name}"()`,
  ]
}

const addVideoBytes = (all: string, own: string, userId: string) =>
  `UPDATE "storageTotals" SET "bytes" = "bytes" + (${all}) WHERE "kind" = 'all';
    UPDATE "users" SET "storageBytes" = "storageBytes" + (${own}) WHERE "id" = ${userId};`

const addFileBytes = (row: 'OLD' | 'NEW', sign: '+' | '-') =>
  `INSERT INTO "storageTotals" ("kind", "bytes") VALUES (${row}."kind", ${sign}coalesce(${row}."bytes", 0))
      ON CONFLICT ("kind") DO UPDATE SET "bytes" = "storageTotals"."bytes" + "excluded"."bytes";
    UPDATE "videos" SET "listedBytes" = "listedBytes" ${sign} coalesce(${row}."bytes", 0)
      WHERE "id" = ${row}."videoId";
    IF ${row}."makerId" IS NOT NULL THEN
      UPDATE "videos" SET "clipBytes" = "clipBytes" ${sign} coalesce(${row}."bytes", 0)
        WHERE "id" = ${row}."videoId";
      UPDATE "users" SET "storageBytes" = "storageBytes" ${sign} coalesce(${row}."bytes", 0)
        WHERE "id" = ${row}."makerId";
    ELSIF ${row}."kind" = 'captions' THEN
      UPDATE "videos" SET "captionBytes" = "captionBytes" ${sign} coalesce(${row}."bytes", 0)
        WHERE "id" = ${row}."videoId";
    ELSIF ${row}."kind" = 'picture' THEN
      UPDATE "videos" SET "pictureBytes" = "pictureBytes" ${sign} coalesce(${row}."bytes", 0)
        WHERE "id" = ${row}."videoId";
    ELSIF ${row}."kind" = 'share' THEN
      UPDATE "videos" SET "shareBytes" = "shareBytes" ${sign} coalesce(${row}."bytes", 0)
        WHERE "id" = ${row}."videoId";
    END IF;`

/** What an upload that is under way holds. */
const heldBy = (row: 'OLD' | 'NEW') =>
  `CASE WHEN ${row}."state" IN ('receiving', 'finalizing') THEN ${row}."fileSize" + ${row}."thumbnailBytes" ELSE 0 END`

const addToUser = (change: string, userId: string) =>
  `UPDATE "users" SET "storageBytes" = "storageBytes" + (${change}) WHERE "id" = ${userId};`

const triggers = [
  trigger(
    'videoBytesAdded',
    `AFTER INSERT ON "videos"`,
    addVideoBytes('NEW."storageBytes"', 'NEW."storageBytes" - NEW."clipBytes"', 'NEW."userId"'),
  ),
  trigger(
    'videoBytesChanged',
    `AFTER UPDATE OF "storageBytes", "clipBytes" ON "videos"
      WHEN (NEW."storageBytes" <> OLD."storageBytes" OR NEW."clipBytes" <> OLD."clipBytes")`,
    addVideoBytes(
      'NEW."storageBytes" - OLD."storageBytes"',
      'NEW."storageBytes" - NEW."clipBytes" - OLD."storageBytes" + OLD."clipBytes"',
      'NEW."userId"',
    ),
  ),
  trigger(
    'videoBytesRemoved',
    `AFTER DELETE ON "videos"`,
    addVideoBytes('-OLD."storageBytes"', 'OLD."clipBytes" - OLD."storageBytes"', 'OLD."userId"'),
  ),
  trigger('mediaFileAdded', `AFTER INSERT ON "mediaFiles"`, addFileBytes('NEW', '+')),
  trigger(
    'mediaFileChanged',
    `AFTER UPDATE OF "kind", "bytes", "makerId" ON "mediaFiles"`,
    `${addFileBytes('OLD', '-')}
    ${addFileBytes('NEW', '+')}`,
  ),
  trigger('mediaFileRemoved', `AFTER DELETE ON "mediaFiles"`, addFileBytes('OLD', '-')),
  trigger(
    'uploadBytesAdded',
    `AFTER INSERT ON "uploads"`,
    addToUser(heldBy('NEW'), 'NEW."userId"'),
  ),
  trigger(
    'uploadBytesChanged',
    `AFTER UPDATE OF "state", "fileSize", "thumbnailBytes" ON "uploads"`,
    addToUser(`${heldBy('NEW')} - ${heldBy('OLD')}`, 'NEW."userId"'),
  ),
  trigger(
    'uploadBytesRemoved',
    `AFTER DELETE ON "uploads"`,
    addToUser(`-(${heldBy('OLD')})`, 'OLD."userId"'),
  ),
  trigger(
    'channelBytesChanged',
    `AFTER UPDATE OF "avatarBytes", "bannerBytes" ON "users"`,
    addToUser(
      'NEW."avatarBytes" + NEW."bannerBytes" - OLD."avatarBytes" - OLD."bannerBytes"',
      'NEW."id"',
    ),
  ),
]

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [...columns, ...oldTriggers, ...counts, ...indexes, ...triggers.flat()]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
