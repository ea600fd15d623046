import { type Kysely, sql } from 'kysely'

/** Recordings found in the folders of `INBOX`. */
const statements = [
  `CREATE TABLE "inboxItems" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "folder" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "fileSize" INTEGER NOT NULL,
    "contentKey" TEXT,
    "state" TEXT NOT NULL CHECK ("state" IN ('new', 'queued', 'published', 'dismissed', 'unusable')),
    "problem" TEXT,
    "isMissing" INTEGER NOT NULL DEFAULT 0 CHECK ("isMissing" IN (0, 1)),
    "missingSince" TEXT,
    "game" TEXT,
    "recordedAt" TEXT NOT NULL,
    "duration" INTEGER NOT NULL DEFAULT 0,
    "width" INTEGER,
    "height" INTEGER,
    "duplicateVideoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "duplicateItemId" INTEGER REFERENCES "inboxItems" ("id") ON DELETE SET NULL,
    "details" TEXT,
    "uploadId" TEXT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "original" TEXT NOT NULL DEFAULT 'there' CHECK ("original" IN ('there', 'leaving', 'removed')),
    "foundAt" TEXT NOT NULL,
    "changedAt" TEXT NOT NULL,
    UNIQUE ("folder", "path")
  ) STRICT`,
  `CREATE INDEX "inboxItemsByOwner" ON "inboxItems" ("userId", "state", "recordedAt", "id")`,
  `CREATE INDEX "inboxItemsByState" ON "inboxItems" ("state", "changedAt", "id")`,
  `CREATE INDEX "inboxItemsByContent" ON "inboxItems" ("contentKey")`,
  `CREATE INDEX "inboxItemsByVideo" ON "inboxItems" ("videoId")`,
  `CREATE INDEX "inboxItemsByDuplicateVideo" ON "inboxItems" ("duplicateVideoId")`,
  `CREATE INDEX "inboxItemsByDuplicateItem" ON "inboxItems" ("duplicateItemId")`,
  `CREATE INDEX "inboxItemsPresent" ON "inboxItems" ("folder", "id") WHERE "isMissing" = 0`,
  `CREATE INDEX "inboxItemsLost" ON "inboxItems" ("state", "original", "missingSince") WHERE "missingSince" IS NOT NULL`,
  `CREATE INDEX "inboxItemsLeaving" ON "inboxItems" ("state", "original", "id") WHERE "original" = 'leaving'`,
  `CREATE INDEX "inboxItemsWithoutVideo" ON "inboxItems" ("state", "videoId", "id") WHERE "state" = 'published' AND "videoId" IS NULL`,
  `CREATE TABLE "inboxPictures" (
    "itemId" INTEGER PRIMARY KEY REFERENCES "inboxItems" ("id") ON DELETE CASCADE,
    "jpeg" BLOB NOT NULL
  ) STRICT`,
  `CREATE TABLE "inboxSettings" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "isPaused" INTEGER NOT NULL DEFAULT 0 CHECK ("isPaused" IN (0, 1)),
    "originals" TEXT NOT NULL DEFAULT 'copy' CHECK ("originals" IN ('copy', 'move', 'link')),
    "whenDeleted" TEXT NOT NULL DEFAULT 'keep' CHECK ("whenDeleted" IN ('keep', 'delete')),
    "whenMissing" TEXT NOT NULL DEFAULT 'keep' CHECK ("whenMissing" IN ('keep', 'delete')),
    "rules" TEXT NOT NULL DEFAULT '[]',
    "status" TEXT,
    "problem" TEXT
  ) STRICT`,
  `INSERT INTO "inboxSettings" ("id") VALUES (1)`,
  `ALTER TABLE "uploads" ADD COLUMN "isFromInbox" INTEGER NOT NULL DEFAULT 0 CHECK ("isFromInbox" IN (0, 1))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
