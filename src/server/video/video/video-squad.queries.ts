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
