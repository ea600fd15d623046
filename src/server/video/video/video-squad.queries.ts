import type { Database } from '#server/platform/db/database.ts'

export async function isMemberOfSquad(
  db: Database,
  { squadId, userId }: { squadId: number; userId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('squadMembers')
    .select('userId')
    .where('squadId', '=', squadId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the squad for a new video, or null if the member has left it meanwhile. */
export async function findSquadForNew(
  db: Database,
  { squadId, userId }: { squadId: number | null; userId: number },
): Promise<number | null> {
  if (squadId === null) return null
  return (await isMemberOfSquad(db, { squadId, userId })) ? squadId : null
}

/** Returns the number of the member's squads, among which queries divide the videos they read. */
export async function countOwnSquads(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('squadMembers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}
