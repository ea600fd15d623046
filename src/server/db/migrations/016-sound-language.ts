import { type Kysely, sql } from 'kysely'

/** The language of the sound that is in the video itself, ISO 639; null where the recording does not tell. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`ALTER TABLE videos ADD COLUMN soundLanguage TEXT`).execute(db)
}
