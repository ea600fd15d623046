import { type Kysely, sql } from 'kysely'

/** How a new site is set up, which version ran last, and notices of newer ones. */
const statements = [
  `ALTER TABLE "siteSettings" ADD COLUMN "setupSteps" TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE "siteSettings" ADD COLUMN "lastRunVersion" TEXT`,
  `ALTER TABLE "siteSettings" ADD COLUMN "previousVersion" TEXT`,
  `ALTER TABLE "siteSettings" ADD COLUMN "asksForUpdates" INTEGER NOT NULL DEFAULT 0
    CHECK ("asksForUpdates" IN (0, 1))`,
  `ALTER TABLE "siteSettings" ADD COLUMN "updateAddress" TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE "siteSettings" ADD COLUMN "updateAskedAt" TEXT`,
  `ALTER TABLE "siteSettings" ADD COLUMN "updateAnswer" TEXT`,
  // A site that has an admin by now was set up long ago, and run by the version before.
  `UPDATE "siteSettings"
    SET "lastRunVersion" = '0.1.0',
      "setupSteps" = '{"look":"skipped","members":"skipped","uploads":"skipped","reach":"skipped","clip":"skipped"}'
    WHERE EXISTS (SELECT 1 FROM "users" WHERE "isAdmin" = 1)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
