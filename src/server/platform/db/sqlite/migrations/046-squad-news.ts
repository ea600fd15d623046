import { type Kysely, sql } from 'kysely'

/** Adds the time at which members last opened a squad, and an index of their notifications about squads. */
const statements = [
  `ALTER TABLE "squadMembers" ADD COLUMN "openedAt" TEXT`,
  `CREATE INDEX "notificationsOfSquads" ON "notifications" ("userId", "createdAt" DESC, "id" DESC) WHERE "squadId" IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
