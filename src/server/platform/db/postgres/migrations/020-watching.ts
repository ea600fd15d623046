import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A crash of the server forgets it, as a restart does where it is in memory.
  await sql`CREATE UNLOGGED TABLE "watching" (
    "name" text COLLATE "C" NOT NULL PRIMARY KEY,
    "firstAt" bigint NOT NULL,
    "lastAt" bigint NOT NULL,
    "watchedSeconds" double precision NOT NULL,
    "freshSeconds" double precision NOT NULL
  )`.execute(db)
}
