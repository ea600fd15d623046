import { type Kysely, sql } from 'kysely'

/** Imports from any source, and exports of a member's data in the format of PeerTube. */
const statements = [
  `CREATE TABLE "newImportedVideos" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "source" TEXT NOT NULL,
    "sourceId" TEXT NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('sending', 'published', 'done')),
    "uploadId" TEXT UNIQUE,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "publishedAt" TEXT NOT NULL,
    "viewCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    UNIQUE ("userId", "source", "sourceId")
  ) STRICT`,
  `INSERT INTO "newImportedVideos"
    ("id", "userId", "source", "sourceId", "state", "uploadId", "videoId", "publishedAt", "viewCount", "createdAt")
    SELECT "id", "userId", "source", "sourceId", "state", "uploadId", "videoId", "publishedAt", "viewCount", "createdAt"
    FROM "importedVideos"`,
  `DROP TABLE "importedVideos"`,
  `ALTER TABLE "newImportedVideos" RENAME TO "importedVideos"`,
  `CREATE INDEX "importedVideosByVideo" ON "importedVideos" ("videoId")`,
  `ALTER TABLE "dataExports" ADD COLUMN "format" TEXT NOT NULL DEFAULT 'clutch' CHECK ("format" IN ('clutch', 'peertube'))`,
  `ALTER TABLE "dataExportParts" ADD COLUMN "path" TEXT NOT NULL DEFAULT 'account.json'`,
  `ALTER TABLE "dataExportParts" ADD COLUMN "crc32" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "dataExportFiles" ADD COLUMN "crc32" INTEGER NOT NULL DEFAULT 0`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
