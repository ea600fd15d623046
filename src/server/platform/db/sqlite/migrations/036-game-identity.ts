import { type Kysely, sql } from 'kysely'

/** How games look, the sentence about the site, and when members were here. */
const statements = [
  `CREATE TABLE "gameLooks" (
    "category" TEXT NOT NULL PRIMARY KEY,
    "colour" TEXT,
    "artUrl" TEXT,
    "isArchived" INTEGER NOT NULL DEFAULT 0 CHECK ("isArchived" IN (0, 1))
  ) STRICT`,
  `ALTER TABLE "siteSettings" ADD COLUMN "welcome" TEXT NOT NULL DEFAULT ''`,
  `CREATE TABLE "visits" (
    "userId" INTEGER PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "startedAt" TEXT NOT NULL,
    "seenAt" TEXT NOT NULL,
    "previousAt" TEXT
  ) STRICT`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
