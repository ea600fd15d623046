import { type Kysely, sql } from 'kysely'

/** How games look, the sentence about the site, and when members were here. */
const statements = [
  `CREATE TABLE "gameLooks" (
    "category" text COLLATE "C" NOT NULL PRIMARY KEY,
    "colour" text COLLATE "C",
    "artUrl" text COLLATE "C",
    "isArchived" bigint NOT NULL DEFAULT 0 CHECK ("isArchived" IN (0, 1))
  )`,
  // Visitors' answers show them.
  `CREATE TRIGGER "noteChange" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "gameLooks"
    FOR EACH STATEMENT EXECUTE FUNCTION "noteChange"()`,
  `ALTER TABLE "siteSettings" ADD COLUMN "welcome" text COLLATE "C" NOT NULL DEFAULT ''`,
  `CREATE TABLE "visits" (
    "userId" bigint PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE,
    "startedAt" text COLLATE "C" NOT NULL,
    "seenAt" text COLLATE "C" NOT NULL,
    "previousAt" text COLLATE "C"
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
