import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { RestoreDrill } from '#shared/schemas/desk/storage.schemas.ts'

export async function findLastDrill(
  db: Database,
  state?: 'done',
): Promise<RestoreDrill | undefined> {
  let query = db
    .selectFrom('restoreDrills')
    .select(['id', 'state', 'startedAt', 'finishedAt', 'backupName', 'isOffsite'])
    .select(['bytes', 'files', 'videos', 'error'])
    .orderBy('id', 'desc')
    .limit(1)
  if (state) query = query.where('state', '=', state)
  const row = await query.executeTakeFirst()
  return row && { ...row, isOffsite: row.isOffsite === 1 }
}

export async function insertDrill(db: Database, input: { isOffsite: boolean }): Promise<number> {
  const { id } = await db
    .insertInto('restoreDrills')
    .values({ state: 'running', startedAt: timestamp(), isOffsite: input.isOffsite ? 1 : 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function finishDrill(
  db: Database,
  input: { id: number; change: Partial<Omit<RestoreDrill, 'id' | 'startedAt' | 'isOffsite'>> },
): Promise<void> {
  const change = { finishedAt: timestamp(), ...input.change }
  await db.updateTable('restoreDrills').set(change).where('id', '=', input.id).execute()
}

/** From an earlier process. */
export async function endInterruptedDrills(db: Database, error: string): Promise<void> {
  await db
    .updateTable('restoreDrills')
    .set({ state: 'failed', finishedAt: timestamp(), error })
    .where('state', '=', 'running')
    .execute()
}
