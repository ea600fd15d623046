import { type Kysely, sql } from 'kysely'

/** Machines that prepare videos for the site, and which of them has a job. */
const statements = [
  `CREATE TABLE "workers" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL UNIQUE,
    "createdBy" INTEGER REFERENCES "users"("id") ON DELETE SET NULL,
    "createdAt" TEXT NOT NULL,
    "lastSeenAt" TEXT,
    "version" TEXT,
    "encoder" TEXT,
    "drainedAt" TEXT,
    "jobsDone" INTEGER NOT NULL DEFAULT 0,
    "jobsFailed" INTEGER NOT NULL DEFAULT 0,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "lastErrorAt" TEXT
  ) STRICT`,
  `ALTER TABLE "jobs" ADD COLUMN "workerId" INTEGER REFERENCES "workers"("id") ON DELETE SET NULL`,
  `ALTER TABLE "jobs" ADD COLUMN "leaseUntil" TEXT`,
  `CREATE INDEX "jobsByWorker" ON "jobs" ("workerId") WHERE "workerId" IS NOT NULL`,
  `CREATE INDEX "workersByCreator" ON "workers" ("createdBy") WHERE "createdBy" IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
