import { type Kysely, sql } from 'kysely'

/** Finds the uploads that may hold the same bytes as a file that is about to be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`CREATE INDEX "uploadsByFileSize" ON "uploads" ("fileSize")`).execute(db)
}
