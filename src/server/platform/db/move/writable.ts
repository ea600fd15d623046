import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type DatabaseTransaction, writeQuietly } from '../database.ts'
import { engineOf } from '../engine.ts'
import { isBusy } from '../errors.ts'
import { describeMoveState } from './move-state.ts'

export async function isWritable(db: Database): Promise<boolean> {
  return (await engineOf(db).readMoveState(db)) === undefined
}

/** @throws `busy` during and after a move of the database */
export async function requireWritable(db: Database): Promise<void> {
  const state = await engineOf(db).readMoveState(db)
  if (state) throw describeMoveState(state)
}

const IN_PASSING_MS = 250

/**
 * A quiet write within a read. Skipped during a move of the database, or while another program
 * writes.
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
