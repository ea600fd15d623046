import { type Kysely, sql } from 'kysely'

/** Work in steps with how far it came, and what finds the rows of a step. */
const statements = [
  `CREATE TABLE "longWork" (
    "kind" TEXT NOT NULL,
    "targetId" INTEGER NOT NULL,
    "reachedId" INTEGER NOT NULL DEFAULT 0,
    "lastId" INTEGER,
    PRIMARY KEY ("kind", "targetId")
  ) STRICT, WITHOUT ROWID`,
  `DROP INDEX "notificationsByVideo"`,
  `CREATE INDEX "notificationsByVideo" ON "notifications" ("videoId", "type", "id")`,
  `DROP INDEX "commentsByUser"`,
  `CREATE INDEX "commentsByUser" ON "comments" ("userId", "id")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
