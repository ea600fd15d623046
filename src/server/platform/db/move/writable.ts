import { type Database, type DatabaseTransaction, writeQuietly } from '../database.ts'
import { engineOf } from '../engine.ts'
import { describeMoveState } from './move-state.ts'

/** Whether writes are taken: not while the site is moved to another database, nor afterwards. */
export async function isWritable(db: Database): Promise<boolean> {
  return (await engineOf(db).readMoveState(db)) === undefined
}

/** @throws AppError `busy` while the site is moved to another database, and afterwards */
export async function requireWritable(db: Database): Promise<void> {
  const state = await engineOf(db).readMoveState(db)
  if (state) throw describeMoveState(state)
}

/**
 * Writes what a read leaves behind, such as when it was, as `writeQuietly` does. While the site is moved to another database
 * the read goes on without.
 */
export async function writeInPassing(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<unknown>,
): Promise<void> {
  if (await isWritable(db)) await writeQuietly(db, work)
}
