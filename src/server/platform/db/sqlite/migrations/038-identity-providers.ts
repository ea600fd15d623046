import { type Kysely, sql } from 'kysely'

/** Identity providers, the accounts there that members linked, and the sessions begun with them. */
const statements = [
  `CREATE TABLE "identityProviders" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientSecret" TEXT,
    "isLocal" INTEGER NOT NULL DEFAULT 0 CHECK ("isLocal" IN (0, 1)),
    "makesAccounts" INTEGER NOT NULL DEFAULT 0 CHECK ("makesAccounts" IN (0, 1)),
    "takesProfile" INTEGER NOT NULL DEFAULT 0 CHECK ("takesProfile" IN (0, 1)),
    "guildId" TEXT,
    "roleRules" TEXT NOT NULL DEFAULT '[]',
    "isActive" INTEGER NOT NULL DEFAULT 1 CHECK ("isActive" IN (0, 1)),
    "createdAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE "identities" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "providerId" INTEGER NOT NULL REFERENCES "identityProviders" ("id") ON DELETE CASCADE,
    "subject" TEXT NOT NULL,
    "userId" INTEGER NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "name" TEXT NOT NULL,
    "avatar" TEXT,
    "refreshToken" TEXT,
    "grants" TEXT NOT NULL DEFAULT '[]',
    "createdAt" TEXT NOT NULL,
    "lastUsedAt" TEXT NOT NULL,
    "checkedAt" TEXT NOT NULL,
    UNIQUE ("providerId", "subject"),
    UNIQUE ("userId", "providerId")
  ) STRICT`,
  `CREATE INDEX "identitiesByCheck" ON "identities" ("checkedAt") WHERE "refreshToken" IS NOT NULL`,
  `ALTER TABLE "sessions" ADD COLUMN "providerId" INTEGER REFERENCES "identityProviders" ("id") ON DELETE SET NULL`,
  `ALTER TABLE "sessions" ADD COLUMN "providerSession" TEXT`,
  `CREATE INDEX "sessionsByProvider" ON "sessions" ("providerId", "providerSession") WHERE "providerId" IS NOT NULL`,
  `ALTER TABLE "users" ADD COLUMN "isTrustedUploader" INTEGER NOT NULL DEFAULT 0 CHECK ("isTrustedUploader" IN (0, 1))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
