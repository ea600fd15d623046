import { type Kysely, sql } from 'kysely'

/** Why a process is not ready, for the others. Here there is one, and nobody to know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE "nodes" ADD COLUMN "problem" TEXT`.execute(db)
}
