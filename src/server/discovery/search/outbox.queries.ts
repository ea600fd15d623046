import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'

export type Waiting = { kind: 'video' | 'channel'; id: number; reachedId: number }

/** What waits to be indexed, videos first (docs/decisions/0018-search-index-outbox.md). */
export async function listWaiting(
  db: Database | DatabaseTransaction,
  limit: number,
): Promise<Waiting[]> {
  return db
    .selectFrom('searchOutbox')
    .select(['kind', 'id', 'reachedId'])
    .orderBy('kind', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function deleteWaiting(
  db: DatabaseTransaction,
  { kind, ids }: { kind: Waiting['kind']; ids: number[] },
): Promise<void> {
  await db.deleteFrom('searchOutbox').where('kind', '=', kind).where('id', 'in', ids).execute()
}

/** The next videos of a channel that its change has not reached. */
export async function listUnreachedVideos(
  db: DatabaseTransaction,
  { id, reachedId, limit }: Waiting & { limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('userId', '=', id)
    .where('id', '>', reachedId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

export async function updateReached(
  db: DatabaseTransaction,
  { id, reachedId }: { id: number; reachedId: number },
): Promise<void> {
  await db
    .updateTable('searchOutbox')
    .set({ reachedId })
    .where('kind', '=', 'channel')
    .where('id', '=', id)
    .execute()
}
