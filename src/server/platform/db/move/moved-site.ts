import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Database } from '../engine.ts'
import { MOVED_TABLE, NOTES_TABLE } from './move-ends.ts'

export async function findMovedTo(db: Database): Promise<string | undefined> {
  if (!(await listTableNames(db)).includes(MOVED_TABLE)) return undefined
  const { rows } = await sql<{ address: string }>`
    SELECT "address" FROM ${sql.table(MOVED_TABLE)}`.execute(db)
  return rows[0]?.address
}

/** @throws `conflict` when the site has left, or its move here is unfinished */
export async function requireNotMoved(db: Database): Promise<void> {
  const address = await findMovedTo(db)
  if (address !== undefined) {
    const undo = 'npm run move-database -- --undo lets this database take changes again.'
    throw new AppError('conflict', `The database of this site has moved to ${address}. ${undo}`)
  }
  if ((await listTableNames(db)).includes(NOTES_TABLE)) {
    const sentence = 'A move to this database has not ended. Run npm run move-database again.'
    throw new AppError('conflict', sentence)
  }
}

/** With those of search and migrations; no views. */
export async function listTableNames(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.filter(({ isView }) => !isView).map(({ name }) => name)
}
