import { dirname, join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { isFileLocked } from '../file-lock.ts'
import { MOVE_LOCK_FILE, MOVED_TABLE } from '../move/move-ends.ts'
import { describeMoveState, type MoveState } from '../move/move-state.ts'

/** Shorter than the time between announcement and move. */
const POLL_MS = 100

/** Some microseconds, ten times a second. */
export function createMoveWatch(sqlite: Sqlite.Database) {
  const lock = join(dirname(sqlite.name), MOVE_LOCK_FILE)
  const findMark = sqlite.prepare<[string]>('SELECT 1 FROM "sqlite_schema" WHERE "name" = ?')
  let state: MoveState | undefined
  let polledAt = Number.NEGATIVE_INFINITY

  /** In a transaction a later write would fail, not wait. */
  function read(): MoveState | undefined {
    if (sqlite.inTransaction) return state
    const now = performance.now()
    if (now - polledAt < POLL_MS) return state
    polledAt = now
    if (isFileLocked(lock)) state = 'moving'
    else state = findMark.get(MOVED_TABLE) ? 'moved' : undefined
    return state
  }

  return {
    read,
    /** @throws `busy` for a write during a move */
    check(statement: Sqlite.Statement): void {
      const begins = /^begin\b/i.test(statement.source)
      if (statement.readonly && !begins) return
      const found = read()
      if (found && !begins) throw describeMoveState(found)
    },
  }
}
