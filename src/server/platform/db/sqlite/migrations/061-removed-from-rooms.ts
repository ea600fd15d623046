import { type Kysely, sql } from 'kysely'

/** When the host removed a member from a watch room. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE "watchRoomMembers" ADD COLUMN "removedAt" TEXT`.execute(db)
}
