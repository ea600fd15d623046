import { type Kysely, sql } from 'kysely'

/** Time codes, recovery codes and passkeys of members, and who was told that a second step becomes required. */
const statements = [
  `CREATE TABLE "timeCodes" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "secret" TEXT NOT NULL,
    "lastStep" INTEGER NOT NULL,
    "createdAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE "recoveryCodes" (
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "codeHash" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    PRIMARY KEY ("userId", "codeHash")
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE "passkeys" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "credentialId" TEXT NOT NULL UNIQUE,
    "userHandle" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "transports" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "isBackedUp" INTEGER NOT NULL CHECK ("isBackedUp" IN (0, 1)),
    "createdAt" TEXT NOT NULL,
    "lastUsedAt" TEXT
  ) STRICT`,
  `CREATE INDEX "passkeysByUser" ON "passkeys" ("userId")`,
  `CREATE TABLE "secondFactorNotices" (
    "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "requiredFrom" TEXT NOT NULL
  ) STRICT`,
  `ALTER TABLE "users" ADD COLUMN "passkeyAfterPassword" INTEGER NOT NULL DEFAULT 0
    CHECK ("passkeyAfterPassword" IN (0, 1))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
