import { type Kysely, sql } from 'kysely'

/** Uploads that can be watched while they arrive have the id of their video before it exists. */
const statements = [
  `ALTER TABLE "uploads" ADD COLUMN "reservedVideoId" bigint`,
  `ALTER TABLE "uploads" ADD COLUMN "aliveAt" text COLLATE "C"`,
  `CREATE UNIQUE INDEX "uploadsByReservedVideo" ON "uploads" ("reservedVideoId") WHERE "reservedVideoId" IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
