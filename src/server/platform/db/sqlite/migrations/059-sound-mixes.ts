import { type Kysely, sql } from 'kysely'

/** How loud the owner wants each sound track, and what the files of the video have. */
const statements = [
  `CREATE TABLE "soundMixes" (
    "videoId" INTEGER PRIMARY KEY REFERENCES "videos" ("id") ON DELETE CASCADE,
    "wanted" TEXT,
    "made" TEXT
  ) STRICT`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
