import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`ALTER TABLE "siteSettings" ADD COLUMN "storeRecords" text COLLATE "C"`).execute(db)
}
