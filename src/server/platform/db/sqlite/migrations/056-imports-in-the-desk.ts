import { type Kysely, sql } from 'kysely'

/** Adds files that the site fetches from an address, imports with their reports, and chat posts of one channel. */
const statements = [
  `ALTER TABLE "siteSettings" ADD COLUMN "fetchesAddresses" INTEGER NOT NULL DEFAULT 0
    CHECK ("fetchesAddresses" IN (0, 1))`,
  `ALTER TABLE "webhooks" ADD COLUMN "channelId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE`,
  `CREATE INDEX "webhooksByChannel" ON "webhooks" ("channelId") WHERE "channelId" IS NOT NULL`,
  `CREATE TABLE "fetches" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "state" TEXT NOT NULL DEFAULT 'queued' CHECK ("state" IN ('queued', 'same', 'done', 'failed')),
    "url" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "uploadId" TEXT UNIQUE,
    "validator" TEXT,
    "size" INTEGER,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "runAfter" TEXT NOT NULL,
    "allowsSame" INTEGER NOT NULL DEFAULT 0 CHECK ("allowsSame" IN (0, 1)),
    "problem" TEXT,
    "videoId" INTEGER REFERENCES "videos" ("id") ON DELETE SET NULL,
    "createdAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX "fetchesByMember" ON "fetches" ("userId", "id")`,
  `CREATE INDEX "fetchesByTime" ON "fetches" ("runAfter", "id") WHERE "state" = 'queued'`,
  `CREATE INDEX "fetchesByVideo" ON "fetches" ("videoId") WHERE "videoId" IS NOT NULL`,
  `CREATE TABLE "imports" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "given" TEXT NOT NULL,
    "options" TEXT NOT NULL DEFAULT '{}',
    "ownerId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "isFromDesk" INTEGER NOT NULL DEFAULT 0 CHECK ("isFromDesk" IN (0, 1)),
    "state" TEXT NOT NULL DEFAULT 'running' CHECK ("state" IN ('running', 'done', 'stopped', 'failed')),
    "isStopAsked" INTEGER NOT NULL DEFAULT 0 CHECK ("isStopAsked" IN (0, 1)),
    "startedAt" TEXT NOT NULL,
    "seenAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "progress" TEXT,
    "report" TEXT,
    "error" TEXT
  ) STRICT`,
  `CREATE INDEX "importsByOwner" ON "imports" ("ownerId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
