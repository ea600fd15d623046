import { type Kysely, sql } from 'kysely'

/**
 * Places in videos that may be worth looking at: found in the recording (without a user), marked by viewers, or
 * forgotten by the owner. What pages show is reckoned from them.
 */
const statements = [
  `CREATE TABLE "moments" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "videoId" INTEGER NOT NULL REFERENCES "videos" ("id") ON DELETE CASCADE,
    "userId" INTEGER REFERENCES "users" ("id") ON DELETE CASCADE,
    "source" TEXT NOT NULL CHECK ("source" IN ('mark', 'chapter', 'loud', 'scene', 'forgotten')),
    "atSeconds" REAL NOT NULL CHECK ("atSeconds" >= 0),
    "weight" REAL NOT NULL CHECK ("weight" > 0 AND "weight" <= 1),
    "title" TEXT,
    "createdAt" TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX "momentsByVideo" ON "moments" ("videoId", "atSeconds")`,
  `CREATE INDEX "momentsByUser" ON "moments" ("userId", "videoId") WHERE "userId" IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
