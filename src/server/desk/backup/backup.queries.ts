import { type Database, timestamp } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Backup } from '#shared/schemas/desk/storage.schemas.ts'

function selectBackups(db: Database) {
  return db
    .selectFrom('backups')
    .select(['id', 'name', 'cause', 'state', 'startedAt', 'finishedAt'])
    .select(['bytes', 'files', 'videos', 'members', 'error', 'sendState', 'sendError'])
}

export async function listBackups(db: Database, input: PageInput & { q?: string | undefined }) {
  let query = selectBackups(db)
    .orderBy('id', 'desc')
    .limit(input.limit + 1)
  if (input.q) query = query.where(containsText(['name', 'cause', 'state', 'error'], input.q))
  if (input.cursor) query = query.where('id', '<', decodeCursor(input.cursor).id)
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.startedAt, id: row.id }),
    item: (row) => row,
  })
}

export async function findBackup(db: Database, id: number): Promise<Backup | undefined> {
  return selectBackups(db).where('id', '=', id).executeTakeFirst()
}

export async function findLastBackup(db: Database): Promise<Backup | undefined> {
  return selectBackups(db).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

export async function hasBackup(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('backups')
    .select('id')
    .where('state', '=', 'done')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function findLastNightly(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('backups')
    .select('startedAt')
    .where('cause', '=', 'nightly')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt
}

export async function insertBackup(
  db: Database,
  backup: Pick<Backup, 'name' | 'cause'>,
): Promise<number> {
  const { id } = await db
    .insertInto('backups')
    .values({ ...backup, state: 'running', startedAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateBackup(
  db: Database,
  input: { id: number; change: Partial<Omit<Backup, 'id' | 'name' | 'cause' | 'startedAt'>> },
): Promise<void> {
  await db.updateTable('backups').set(input.change).where('id', '=', input.id).execute()
}

export async function deleteBackup(db: Database, id: number): Promise<void> {
  await db.deleteFrom('backups').where('id', '=', id).execute()
}

/** Failed ones too, when older than the newest `keep` good ones. */
export async function listNightlyToDrop(db: Database, keep: number): Promise<Backup[]> {
  const rows = await selectBackups(db)
    .where('cause', '=', 'nightly')
    .where('state', '<>', 'running')
    .orderBy('id', 'desc')
    .execute()
  const oldest = rows.filter(({ state }) => state === 'done')[keep - 1]
  return oldest ? rows.filter(({ id }) => id < oldest.id) : []
}

/** From an earlier process. */
export async function endInterruptedBackups(db: Database, error: string): Promise<void> {
  await db
    .updateTable('backups')
    .set({ state: 'failed', finishedAt: timestamp(), error })
    .where('state', '=', 'running')
    .execute()
  await db
    .updateTable('backups')
    .set({ sendState: 'failed', sendError: error })
    .where('sendState', '=', 'sending')
    .execute()
}
