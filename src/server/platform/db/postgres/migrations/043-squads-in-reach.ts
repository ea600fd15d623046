import { type Kysely, sql } from 'kysely'

/** Clips that were sent to a squad, and who may not join an open squad again. */
const statements = [
  `ALTER TABLE "posts" ADD COLUMN "clipId" bigint REFERENCES "clips" ("id") ON DELETE SET NULL`,
  `CREATE INDEX "postsByClip" ON "posts" ("clipId") WHERE "clipId" IS NOT NULL`,
  `CREATE TABLE "squadRemovals" (
    "squadId" bigint NOT NULL REFERENCES "squads" ("id") ON DELETE CASCADE,
    "userId" bigint NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
    "removedAt" text COLLATE "C" NOT NULL,
    PRIMARY KEY ("squadId", "userId")
  )`,
  `CREATE INDEX "squadRemovalsByUser" ON "squadRemovals" ("userId")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
