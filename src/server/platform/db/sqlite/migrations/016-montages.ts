import { type Kysely, sql } from 'kysely'

/** Videos that are to be made of stretches of others. */
const statements = [
  `CREATE TABLE "montages" (
    "videoId" INTEGER PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE,
    "items" TEXT NOT NULL,
    "transition" TEXT NOT NULL CHECK ("transition" IN ('fade', 'cut')),
    "titleCard" INTEGER NOT NULL CHECK ("titleCard" IN (0, 1)),
    "createdAt" TEXT NOT NULL
  ) STRICT`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
