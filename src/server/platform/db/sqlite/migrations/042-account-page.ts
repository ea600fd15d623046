import { type Kysely, sql } from 'kysely'

/**
 * Where sessions and API tokens are used from, accounts that end on a day, and downloads of what the
 * site knows about a member.
 */
const statements = [
  // Whole IPv4 addresses were stored before; the next use writes a range.
  `UPDATE "sessions" SET "address" = NULL WHERE "address" IS NOT NULL`,
  // Earlier ones had thirty days.
  `UPDATE "sessions" SET "expiresAt" = MIN("expiresAt", unixepoch() + 86400) WHERE "rememberMe" = 0`,
  `ALTER TABLE "apiTokens" ADD COLUMN "address" TEXT`,
  `ALTER TABLE "apiTokens" ADD COLUMN "userAgent" TEXT`,
  `ALTER TABLE "users" ADD COLUMN "deletesAt" TEXT`,
  `CREATE INDEX "usersByEnd" ON "users" ("deletesAt") WHERE "deletesAt" IS NOT NULL`,
  `CREATE TABLE "dataExports" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL UNIQUE REFERENCES "users" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL CHECK ("state" IN ('queued', 'running', 'done', 'failed')),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "percent" INTEGER NOT NULL DEFAULT 0,
    "runAfter" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "expiresAt" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "fileCount" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT
  ) STRICT`,
  `CREATE TABLE "dataExportParts" (
    "exportId" INTEGER NOT NULL REFERENCES "dataExports" ("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    PRIMARY KEY ("exportId", "number")
  ) STRICT`,
  `CREATE TABLE "dataExportFiles" (
    "exportId" INTEGER NOT NULL REFERENCES "dataExports" ("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "mediaKey" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    PRIMARY KEY ("exportId", "number")
  ) STRICT`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
