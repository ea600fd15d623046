import { type Selectable, sql } from 'kysely'
import {
  type Database,
  type DatabaseTransaction,
  timestamp,
  writeQuietly,
} from '#server/platform/db/database.ts'
import type {
  DataExportFilesTable,
  DataExportPartsTable,
} from '#server/platform/db/tables/account.ts'
import type { DataExportFormat } from '#shared/schemas/settings.schemas.ts'

const COLUMNS = [
  ...([
    'id',
    'userId',
    'format',
    'state',
    'attempt',
    'percent',
    'createdAt',
    'finishedAt',
  ] as const),
  ...(['expiresAt', 'bytes', 'fileCount', 'error'] as const),
] as const

export type DataExport = NonNullable<Awaited<ReturnType<typeof findDataExport>>>
/** The holder may write results as long as `attempt` in the row is the same. */
export type ClaimedExport = Pick<DataExport, 'id' | 'userId' | 'format' | 'attempt'>
export type ExportFile = Pick<
  Selectable<DataExportFilesTable>,
  'path' | 'mediaKey' | 'name' | 'bytes' | 'crc32'
>

/** Ignores an expired export. */
export async function findDataExport(db: Database, userId: number) {
  return db
    .selectFrom('dataExports')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where('expiresAt', '>', timestamp())
    .executeTakeFirst()
}

export async function replaceDataExport(
  db: DatabaseTransaction,
  { userId, format, expiresAt }: { userId: number; format: DataExportFormat; expiresAt: string },
): Promise<void> {
  await db.deleteFrom('dataExports').where('userId', '=', userId).execute()
  const now = timestamp()
  await db
    .insertInto('dataExports')
    .values({ userId, format, state: 'queued', runAfter: now, createdAt: now, expiresAt })
    .execute()
}

/** Includes running exports: the caller holds the lock, so the process that ran them has ended. */
export async function listDueExports(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('dataExports')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .where('runAfter', '<=', timestamp())
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Also deletes what an earlier attempt wrote. */
export async function claimExport(db: Database, id: number): Promise<ClaimedExport | undefined> {
  return writeQuietly(db, async (transaction) => {
    await transaction.deleteFrom('dataExportParts').where('exportId', '=', id).execute()
    await transaction.deleteFrom('dataExportFiles').where('exportId', '=', id).execute()
    return transaction
      .updateTable('dataExports')
      .set({ state: 'running', attempt: sql`"attempt" + 1`, percent: 0 })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'running'])
      .returning(['id', 'userId', 'format', 'attempt'])
      .executeTakeFirst()
  })
}

type Change = Partial<
  Pick<
    DataExport,
    'state' | 'percent' | 'finishedAt' | 'expiresAt' | 'bytes' | 'fileCount' | 'error'
  > & { runAfter: string }
>

/** @returns false when another attempt has begun, or the export was deleted */
export async function updateClaimedExport(
  db: Database,
  { id, attempt, change }: Pick<ClaimedExport, 'id' | 'attempt'> & { change: Change },
): Promise<boolean> {
  const result = await db
    .updateTable('dataExports')
    .set(change)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function insertPart(
  db: DatabaseTransaction,
  part: Selectable<DataExportPartsTable>,
): Promise<void> {
  await db.insertInto('dataExportParts').values(part).execute()
}

export async function insertFiles(
  db: DatabaseTransaction,
  input: { exportId: number; firstNumber: number; files: readonly ExportFile[] },
): Promise<void> {
  const { exportId, firstNumber, files } = input
  const rows = files.map((file, index) => ({ ...file, exportId, number: firstNumber + index }))
  if (rows.length > 0) await db.insertInto('dataExportFiles').values(rows).execute()
}

export async function listParts(db: Database, exportId: number) {
  return db
    .selectFrom('dataExportParts')
    .select(['number', 'path', 'bytes', 'crc32'])
    .where('exportId', '=', exportId)
    .orderBy('number')
    .execute()
}

export async function findPart(
  db: Database,
  { exportId, number }: { exportId: number; number: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('dataExportParts')
    .select('content')
    .where('exportId', '=', exportId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.content
}

export async function listFiles(db: Database, exportId: number): Promise<ExportFile[]> {
  return db
    .selectFrom('dataExportFiles')
    .select(['path', 'mediaKey', 'name', 'bytes', 'crc32'])
    .where('exportId', '=', exportId)
    .orderBy('number')
    .execute()
}

export async function deleteExpiredExports(db: Database, now: string): Promise<void> {
  await db.deleteFrom('dataExports').where('expiresAt', '<=', now).execute()
}
