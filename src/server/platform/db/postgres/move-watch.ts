import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../engine.ts'
import { EPHEMERAL_TABLES, MOVED_TABLE } from '../move/move-ends.ts'
import { describeMoveState, type MoveState } from '../move/move-state.ts'

export const MOVE_LOCK = { class: 1_668_052_340, object: 1 } as const
/** Shorter than the time between announcement and move. */
const POLL_MS = 1000
const WRITES =
  /^\s*(insert|update|delete|truncate)\b|^\s*with\b.*\b(insert into|update|delete from)\b|\bfor update\b/is

const EPHEMERAL_WRITES = new RegExp(`"(${EPHEMERAL_TABLES.join('|')})"`)

export function createMoveWatch() {
  let state: MoveState | undefined
  let polledAt = Number.NEGATIVE_INFINITY
  let polling: Promise<void> | undefined

  async function poll(db: Database): Promise<void> {
    state = await findState(db)
    polledAt = performance.now()
  }

  return {
    async read(db: Database): Promise<MoveState | undefined> {
      if (performance.now() - polledAt >= POLL_MS) {
        polling ??= poll(db).finally(() => {
          polling = undefined
        })
        await polling
      }
      return state
    },
    /** @throws `busy` for a write during a move */
    check(query: CompiledQuery): void {
      if (state && WRITES.test(query.sql) && !EPHEMERAL_WRITES.test(query.sql))
        throw describeMoveState(state)
    },
  }
}

async function findState(db: Database): Promise<MoveState | undefined> {
  const { rows } = await sql<{ isMoved: number; isMoving: number }>`
    SELECT to_regclass(${`"${MOVED_TABLE}"`}) IS NOT NULL AS "isMoved", EXISTS (
      SELECT 1 FROM "pg_locks"
      WHERE "locktype" = 'advisory' AND "classid" = ${MOVE_LOCK.class} AND "objid" = ${MOVE_LOCK.object}
        AND "granted"
        AND "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())
    ) AS "isMoving"`.execute(db)
  if (rows[0]?.isMoved) return 'moved'
  return rows[0]?.isMoving ? 'moving' : undefined
}
