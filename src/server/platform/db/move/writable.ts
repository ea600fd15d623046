import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type DatabaseTransaction, writeQuietly } from '../database.ts'
import { engineOf } from '../engine.ts'
import { isBusy } from '../errors.ts'
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

/** How long a read waits for what it leaves behind to be written. */
const IN_PASSING_MS = 250

/**
 * Writes what a read leaves behind, such as when it was, as `writeQuietly` does. While the site is moved to another database, or
 * another program holds the write lock, the read goes on without.
 */
export async function writeInPassing(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<unknown>,
): Promise<void> {
  if (!(await isWritable(db))) return
  const written = writeQuietly(db, work).catch((error) => {
    if (!isBusy(error)) throw error
  })
  await Promise.race([written, pause(IN_PASSING_MS, undefined, { ref: false })])
}
