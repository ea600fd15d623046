import type { Database } from '#server/platform/db/database.ts'
import { SQUAD_MENTIONED_MAX } from '#shared/limits.ts'

/** @param input.tags in lower case */
export async function listOwnSquadsByTag(
  db: Database,
  { tags, userId }: { tags: string[]; userId: number },
): Promise<{ id: number; foldedTag: string }[]> {
  if (tags.length === 0) return []
  return db
    .selectFrom('squads')
    .innerJoin('squadMembers', 'squadMembers.squadId', 'squads.id')
    .select(['squads.id', 'squads.foldedTag'])
    .where('squads.foldedTag', 'in', tags)
    .where('squadMembers.userId', '=', userId)
    .orderBy('squads.id')
    .execute()
}

export async function listNewestMembers(db: Database, squadId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('squadMembers')
    .select('userId')
    .where('squadId', '=', squadId)
    .orderBy('joinedAt', 'desc')
    .orderBy('userId', 'desc')
    .limit(SQUAD_MENTIONED_MAX)
    .execute()
  return rows.map(({ userId }) => userId)
}
