import { type Kysely, sql } from 'kysely'

/** Members who left the Discord server that their account was created for. */
const statements = [
  `ALTER TABLE "identities" ADD COLUMN "madeAccount" bigint NOT NULL DEFAULT 0 CHECK ("madeAccount" IN (0, 1))`,
  `ALTER TABLE "identities" ADD COLUMN "leftAt" text COLLATE "C"`,
  // Registration writes both rows within a second, and times are strings in ISO 8601.
  `UPDATE "identities" SET "madeAccount" = 1 WHERE EXISTS (
    SELECT 1 FROM "users" WHERE "users"."id" = "identities"."userId"
      AND substr("users"."createdAt", 1, 19) = substr("identities"."createdAt", 1, 19)
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
