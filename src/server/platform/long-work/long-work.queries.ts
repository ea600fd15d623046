import type { Database, DatabaseTransaction } from '../db/database.ts'

export type WorkKey = { kind: string; targetId: number }
/** How far it came; `lastId` is that of the last row of the act, if it has one. */
export type Place = { targetId: number; reachedId: number; lastId: number | null }

export async function listLongWork(db: Database, kinds: string[]): Promise<WorkKey[]> {
  return db
    .selectFrom('longWork')
    .select(['kind', 'targetId'])
    .where('kind', 'in', kinds)
    .orderBy('kind')
    .orderBy('targetId')
    .execute()
}

export async function findPlace(
  db: Database,
  { kind, targetId }: WorkKey,
): Promise<Place | undefined> {
  return db
    .selectFrom('longWork')
    .select(['targetId', 'reachedId', 'lastId'])
    .where('kind', '=', kind)
    .where('targetId', '=', targetId)
    .executeTakeFirst()
}

/** Instead of an earlier act's. */
export async function storePlace(
  db: DatabaseTransaction,
  { kind, ...place }: Place & { kind: string },
): Promise<void> {
  const { reachedId, lastId } = place
  await db
    .insertInto('longWork')
    .values({ kind, ...place })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'targetId']).doUpdateSet({ reachedId, lastId }),
    )
    .execute()
}

export async function deleteLongWork(
  db: DatabaseTransaction,
  { kind, targetId }: WorkKey,
): Promise<void> {
  await db
    .deleteFrom('longWork')
    .where('kind', '=', kind)
    .where('targetId', '=', targetId)
    .execute()
}
