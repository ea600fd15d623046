import { type Kysely, sql } from 'kysely'

/** Addresses that are told of events, what is still to be sent to them, and the messages in chats. */
const statements = [
  `CREATE TABLE "webhooks" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "format" TEXT NOT NULL CHECK ("format" IN ('standard', 'discord')),
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "isActive" INTEGER NOT NULL DEFAULT 1 CHECK ("isActive" IN (0, 1)),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "pausedAt" TEXT,
    "lastError" TEXT,
    "createdAt" TEXT NOT NULL,
    "secret" TEXT,
    "previousSecret" TEXT,
    "renewedAt" TEXT,
    "kinds" TEXT NOT NULL DEFAULT '[]',
    "category" TEXT,
    "squadId" INTEGER REFERENCES "squads" ("id") ON DELETE CASCADE,
    "template" TEXT NOT NULL DEFAULT '',
    "sendsFile" INTEGER NOT NULL DEFAULT 0 CHECK ("sendsFile" IN (0, 1)),
    "editsPosts" INTEGER NOT NULL DEFAULT 0 CHECK ("editsPosts" IN (0, 1)),
    "deletesPosts" INTEGER NOT NULL DEFAULT 0 CHECK ("deletesPosts" IN (0, 1))
  ) STRICT`,
  `CREATE INDEX "webhooksBySquad" ON "webhooks" ("squadId") WHERE "squadId" IS NOT NULL`,
  `CREATE TABLE "webhookDeliveries" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "webhookId" INTEGER NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE,
    "messageId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting' CHECK ("state" IN ('waiting', 'delivered', 'failed', 'dropped')),
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "attemptedAt" TEXT,
    "status" INTEGER,
    "ms" INTEGER,
    "answer" TEXT
  ) STRICT`,
  `CREATE INDEX "webhookDeliveriesByTime" ON "webhookDeliveries" ("nextAt", "id") WHERE "nextAt" IS NOT NULL`,
  `CREATE INDEX "webhookDeliveriesByWebhook" ON "webhookDeliveries" ("webhookId", "id")`,
  `CREATE TABLE "announcedVideos" (
    "videoId" INTEGER NOT NULL PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE
  ) STRICT`,
  `INSERT INTO "announcedVideos" ("videoId")
    SELECT "id" FROM "videos"
    WHERE "processingState" = 'ready' AND "contentApproved" = 1 AND "visibility" = 'public'`,
  `CREATE TABLE "chatPosts" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "webhookId" INTEGER NOT NULL REFERENCES "webhooks" ("id") ON DELETE CASCADE,
    "videoId" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting'
      CHECK ("state" IN ('waiting', 'sending', 'posted', 'unknown', 'refused', 'deleted')),
    "messageId" TEXT,
    "content" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    UNIQUE ("webhookId", "videoId")
  ) STRICT`,
  `CREATE INDEX "chatPostsByTime" ON "chatPosts" ("nextAt", "id") WHERE "nextAt" IS NOT NULL`,
  `CREATE INDEX "chatPostsByVideo" ON "chatPosts" ("videoId")`,
  `CREATE TRIGGER "chatPostOfChangedVideo" AFTER UPDATE OF
    "title", "visibility", "processingState", "contentApproved", "isAnonymous", "hlsUrl"
    ON "videos" BEGIN
    UPDATE "chatPosts"
      SET "version" = "version" + 1, "nextAt" = coalesce("nextAt", '1970-01-01T00:00:00.000Z')
      WHERE "videoId" = NEW."id" AND "state" IN ('waiting', 'sending', 'posted');
  END`,
  `CREATE TRIGGER "chatPostOfDeletedVideo" AFTER DELETE ON "videos" BEGIN
    DELETE FROM "chatPosts" WHERE "videoId" = OLD."id" AND "state" IN ('unknown', 'refused', 'deleted');
    UPDATE "chatPosts"
      SET "version" = "version" + 1, "nextAt" = coalesce("nextAt", '1970-01-01T00:00:00.000Z')
      WHERE "videoId" = OLD."id";
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
