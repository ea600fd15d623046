import type { Selectable } from 'kysely'
import { type Database, timestamp, writeQuietly } from '#server/platform/db/database.ts'
import type { ImportsTable } from '#server/platform/db/tables/import.ts'

export type ImportRow = Selectable<ImportsTable>

const SHOWN = 50
const KEPT = 200

export async function insertImport(
  db: Database,
  row: Pick<ImportRow, 'source' | 'given' | 'options' | 'ownerId' | 'isFromDesk'>,
): Promise<number> {
  const now = timestamp()
  const { id } = await db
    .insertInto('imports')
    .values({ ...row, startedAt: now, seenAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('imports')
    .where('id', '<=', id - KEPT)
    .execute()
  return id
}

export async function findImport(db: Database, id: number): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
}

export type ListedImport = ImportRow & { ownerName: string }

/** The newest first. */
export async function listImports(db: Database): Promise<ListedImport[]> {
  return db
    .selectFrom('imports')
    .innerJoin('users', 'users.id', 'imports.ownerId')
    .selectAll('imports')
    .select('users.username as ownerName')
    .orderBy('imports.id', 'desc')
    .limit(SHOWN)
    .execute()
}

type Change = Partial<Omit<ImportRow, 'id' | 'source' | 'startedAt'>>

/** @returns false unless it is running */
export async function updateImport(
  db: Database,
  { id, change }: { id: number; change: Change },
): Promise<boolean> {
  const result = await writeQuietly(db, (transaction) =>
    transaction
      .updateTable('imports')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .executeTakeFirst(),
  )
  return result.numUpdatedRows > 0n
}

/** For the process that holds the lock of imports: no other one is running. */
export async function endOtherImports(
  db: Database,
  { exceptId, error }: { exceptId: number | undefined; error: string },
): Promise<void> {
  const change = { state: 'stopped' as const, finishedAt: timestamp(), error }
  await db
    .updateTable('imports')
    .set(change)
    .where('state', '=', 'running')
    .where('id', '<>', exceptId ?? 0)
    .execute()
}
