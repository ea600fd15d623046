import { type Kysely, sql } from 'kysely'

/** Sign-ins that need another step, how and from where a session was begun, and how members may sign in. */
const statements = [
  `CREATE TABLE "signInSteps" (
    "id" text COLLATE "C" NOT NULL PRIMARY KEY,
    "kind" text COLLATE "C" NOT NULL,
    "userId" bigint REFERENCES "users" ("id") ON DELETE CASCADE,
    "data" text COLLATE "C" NOT NULL,
    "expiresAt" text COLLATE "C" NOT NULL
  )`,
  `CREATE INDEX "signInStepsByUser" ON "signInSteps" ("userId")`,
  `CREATE INDEX "signInStepsByExpiry" ON "signInSteps" ("expiresAt")`,
  `ALTER TABLE "sessions" ADD COLUMN "method" text COLLATE "C" NOT NULL DEFAULT 'password'`,
  `ALTER TABLE "sessions" ADD COLUMN "address" text COLLATE "C"`,
  `ALTER TABLE "sessions" ADD COLUMN "lastUsedAt" text COLLATE "C"`,
  `CREATE TABLE "signInSettings" (
    "id" bigint NOT NULL PRIMARY KEY CHECK ("id" = 1),
    "passwordMin" bigint NOT NULL DEFAULT 6,
    "passwordsFor" text COLLATE "C" NOT NULL DEFAULT 'everybody',
    "providersFirst" bigint NOT NULL DEFAULT 0 CHECK ("providersFirst" IN (0, 1)),
    "secondFactorFor" text COLLATE "C" NOT NULL DEFAULT 'nobody',
    "secondFactorFrom" text COLLATE "C",
    "needsHttps" bigint NOT NULL DEFAULT 0 CHECK ("needsHttps" IN (0, 1))
  )`,
  `INSERT INTO "signInSettings" ("id") VALUES (1)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
