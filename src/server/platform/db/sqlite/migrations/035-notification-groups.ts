import { type Kysely, sql } from 'kysely'

/** What is told in one line, which kinds a member does without, and what finds the rows of a type. */
const statements = [
  `ALTER TABLE "notifications" ADD COLUMN "groupKey" TEXT`,
  `ALTER TABLE "notifications" ADD COLUMN "groupText" TEXT`,
  `CREATE INDEX "notificationsByGroup" ON "notifications" ("userId", "groupKey", "id") WHERE "groupKey" IS NOT NULL`,
  `CREATE INDEX "notificationsByType" ON "notifications" ("userId", "type", "createdAt" DESC, "id" DESC)`,
  `CREATE TABLE "mutedNotifications" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "kind" TEXT NOT NULL,
    PRIMARY KEY ("userId", "kind")
  ) STRICT, WITHOUT ROWID`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
