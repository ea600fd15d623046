import { type Kysely, sql } from 'kysely'

/** Sign-ins that need another step, how and from where a session was begun, and how members may sign in. */
const statements = [
  `CREATE TABLE "signInSteps" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "data" TEXT NOT NULL,
    "expiresAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX "signInStepsByUser" ON "signInSteps" ("userId")`,
  `CREATE INDEX "signInStepsByExpiry" ON "signInSteps" ("expiresAt")`,
  `ALTER TABLE "sessions" ADD COLUMN "method" TEXT NOT NULL DEFAULT 'password'`,
  `ALTER TABLE "sessions" ADD COLUMN "address" TEXT`,
  `ALTER TABLE "sessions" ADD COLUMN "lastUsedAt" TEXT`,
  `CREATE TABLE "signInSettings" (
    "id" INTEGER NOT NULL PRIMARY KEY CHECK ("id" = 1),
    "passwordMin" INTEGER NOT NULL DEFAULT 6,
    "passwordsFor" TEXT NOT NULL DEFAULT 'everybody',
    "providersFirst" INTEGER NOT NULL DEFAULT 0 CHECK ("providersFirst" IN (0, 1)),
    "secondFactorFor" TEXT NOT NULL DEFAULT 'nobody',
    "secondFactorFrom" TEXT,
    "needsHttps" INTEGER NOT NULL DEFAULT 0 CHECK ("needsHttps" IN (0, 1))
  ) STRICT`,
  `INSERT INTO "signInSettings" ("id") VALUES (1)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
