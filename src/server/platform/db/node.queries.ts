import { sql } from 'kysely'
import type { Database } from './engine.ts'
import { secondsSince, timeIn } from './expressions.ts'

export const GONE_SECONDS = 30

type NewNode = {
  id: string
  name: string
  version: string
  isDraining: boolean
  problem: string | null
}

/**
 * By the database's clock; restores a removed row.
 * @param node.startedAt now by default
 * @returns when it started
 */
export async function upsertNode(
  db: Database,
  node: NewNode & { startedAt?: string | undefined },
): Promise<string> {
  const { id, name, version, startedAt, problem } = node
  const isDraining = node.isDraining ? 1 : 0
  const seenAt = timeIn(0)
  const row = await db
    .insertInto('nodes')
    .values({ id, name, version, startedAt: startedAt ?? seenAt, seenAt, isDraining, problem })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt, isDraining, problem }))
    .returning('startedAt')
    .executeTakeFirstOrThrow()
  return row.startedAt
}

function selectNodes(db: Database) {
  return db
    .selectFrom('nodes')
    .where('seenAt', '>=', timeIn(-GONE_SECONDS * 1000))
    .orderBy('startedAt')
    .orderBy('id')
}

/** Oldest first; none on SQLite. */
export function listNodes(db: Database) {
  return selectNodes(db)
    .select([
      ...(['id', 'name', 'version', 'startedAt', 'isDraining', 'problem'] as const),
      secondsSince(sql.ref('seenAt')).as('secondsSilent'),
    ])
    .execute()
}

/** Only columns of migration 018: it runs before later ones. */
export function listNodeVersions(db: Database) {
  return selectNodes(db).select(['name', 'version']).execute()
}

export async function deleteNode(db: Database, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute()
}

export async function deleteGoneNodes(db: Database): Promise<void> {
  await db
    .deleteFrom('nodes')
    .where('seenAt', '<', timeIn(-GONE_SECONDS * 1000))
    .execute()
}
