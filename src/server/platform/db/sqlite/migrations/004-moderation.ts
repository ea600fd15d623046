import { type Kysely, sql } from 'kysely'

/** Whether a ban ends in a deletion, and how often a rejected video was sent in again. */
const statements = [
  `ALTER TABLE "users" ADD COLUMN "banDeletes" INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE "videos" ADD COLUMN "resubmissionCount" INTEGER NOT NULL DEFAULT 0`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
