import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE "nodes" ADD COLUMN "problem" text COLLATE "C"`.execute(db)
}
