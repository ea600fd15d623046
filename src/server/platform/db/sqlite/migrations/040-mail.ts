import { type Kysely, sql } from 'kysely'

/** Email to be sent, whether an address is its owner's, links by email, and summaries of the bell. */
const statements = [
  `CREATE TABLE "mails" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "data" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "nextAt" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT
  ) STRICT`,
  `CREATE INDEX "mailsByTime" ON "mails" ("nextAt", "id")`,
  `CREATE INDEX "mailsByUser" ON "mails" ("userId")`,
  `ALTER TABLE "users" ADD COLUMN "emailVerifiedAt" TEXT`,
  `ALTER TABLE "users" ADD COLUMN "emailRefusedAt" TEXT`,
  `ALTER TABLE "passwordResets" ADD COLUMN "mailedTo" TEXT`,
  `CREATE TABLE "emailVerifications" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "address" TEXT NOT NULL,
    "expiresAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX "emailVerificationsByUser" ON "emailVerifications" ("userId")`,
  `CREATE TABLE "digests" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "every" TEXT NOT NULL CHECK ("every" IN ('day', 'week')),
    "nextAt" TEXT NOT NULL,
    "lastId" INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX "digestsByTime" ON "digests" ("nextAt")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
