import { type Kysely, sql } from 'kysely'

/** Whether a backup reached its second place, and the proofs that backups can be restored. */
const statements = [
  `ALTER TABLE "backups" ADD COLUMN "sendState" TEXT CHECK ("sendState" IN ('sending', 'sent', 'failed'))`,
  `ALTER TABLE "backups" ADD COLUMN "sendError" TEXT`,
  `CREATE TABLE "restoreDrills" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "state" TEXT NOT NULL CHECK ("state" IN ('running', 'done', 'failed')),
    "startedAt" TEXT NOT NULL,
    "finishedAt" TEXT,
    "backupName" TEXT,
    "isOffsite" INTEGER NOT NULL CHECK ("isOffsite" IN (0, 1)),
    "bytes" INTEGER,
    "files" INTEGER,
    "videos" INTEGER,
    "error" TEXT
  ) STRICT`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
