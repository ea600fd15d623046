import { type Kysely, sql } from 'kysely'

/** Work in steps with how far it came, and what finds the rows of a step. */
const statements = [
  `CREATE TABLE "longWork" (
    "kind" text COLLATE "C" NOT NULL,
    "targetId" bigint NOT NULL,
    "reachedId" bigint NOT NULL DEFAULT 0,
    "lastId" bigint,
    PRIMARY KEY ("kind", "targetId")
  )`,
  `DROP INDEX "notificationsByVideo"`,
  `CREATE INDEX "notificationsByVideo" ON "notifications" ("videoId", "type", "id")`,
  `DROP INDEX "commentsByUser"`,
  `CREATE INDEX "commentsByUser" ON "comments" ("userId", "id")`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
