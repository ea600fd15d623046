import { type Kysely, sql } from 'kysely'

/**
 * What several processes on one database know of each other. Here there is one, and the tables stay empty; they are made
 * so that both engines have the same.
 */
const statements = [
  `CREATE TABLE "nodes" (
    "id" TEXT PRIMARY KEY NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "startedAt" TEXT NOT NULL,
    "seenAt" TEXT NOT NULL,
    "isDraining" INTEGER NOT NULL DEFAULT 0 CHECK ("isDraining" IN (0, 1))
  ) STRICT`,
  `CREATE TABLE "rateCounts" (
    "key" TEXT PRIMARY KEY NOT NULL,
    "count" INTEGER NOT NULL,
    "endsAt" INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX "rateCountsByEnd" ON "rateCounts" ("endsAt")`,
  `ALTER TABLE "jobs" ADD COLUMN "nodeId" TEXT`,
  `ALTER TABLE "siteSettings" ADD COLUMN "neededMigration" TEXT`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
