import { type Kysely, sql } from 'kysely'

/** Adds browsers that get notifications by Web Push, the waiting messages, and quiet hours. */
const statements = [
  `ALTER TABLE "siteSettings" ADD COLUMN "vapidKeys" TEXT`,
  `ALTER TABLE "notifications" ADD COLUMN "kind" TEXT`,
  `ALTER TABLE "mutedNotifications" ADD COLUMN "mutes" TEXT NOT NULL DEFAULT 'all'
    CHECK ("mutes" IN ('all', 'push'))`,
  `CREATE TABLE "pushSubscriptions" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "sessionId" TEXT NOT NULL REFERENCES "sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    "endpoint" TEXT NOT NULL UNIQUE,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "userAgent" TEXT,
    "createdAt" TEXT NOT NULL,
    "sentAt" TEXT
  ) STRICT`,
  `CREATE INDEX "pushSubscriptionsByMember" ON "pushSubscriptions" ("userId", "id")`,
  `CREATE INDEX "pushSubscriptionsBySession" ON "pushSubscriptions" ("sessionId")`,
  `CREATE TABLE "pushes" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "subscriptionId" INTEGER NOT NULL REFERENCES "pushSubscriptions" ("id") ON DELETE CASCADE,
    "notificationId" INTEGER NOT NULL REFERENCES "notifications" ("id") ON DELETE CASCADE,
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT
  ) STRICT`,
  `CREATE INDEX "pushesByTime" ON "pushes" ("nextAt", "id")`,
  `CREATE INDEX "pushesBySubscription" ON "pushes" ("subscriptionId", "id")`,
  `CREATE INDEX "pushesByNotification" ON "pushes" ("notificationId")`,
  `CREATE TABLE "quietHours" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "fromMinute" INTEGER NOT NULL CHECK ("fromMinute" BETWEEN 0 AND 1439),
    "toMinute" INTEGER NOT NULL CHECK ("toMinute" BETWEEN 0 AND 1439),
    "timeZone" TEXT NOT NULL
  ) STRICT`,
  `CREATE TRIGGER "pushOfNotification" AFTER INSERT ON "notifications" BEGIN
    INSERT INTO "pushes" ("subscriptionId", "notificationId", "createdAt", "nextAt")
      SELECT "id", NEW."id", NEW."createdAt", NEW."createdAt" FROM "pushSubscriptions"
      WHERE "userId" = NEW."userId";
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
