import { type Kysely, sql } from 'kysely'

/** Since when who watches what, for several processes. Here there is one, which keeps it in memory. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE "watching" (
    "name" TEXT PRIMARY KEY NOT NULL,
    "firstAt" INTEGER NOT NULL,
    "lastAt" INTEGER NOT NULL,
    "watchedSeconds" REAL NOT NULL,
    "freshSeconds" REAL NOT NULL
  ) STRICT`.execute(db)
}
