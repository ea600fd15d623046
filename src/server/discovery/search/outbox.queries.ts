import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Connection } from './search-engine.ts'
import { searchEngineOf } from './search-engine-of.ts'

export type Waiting = { kind: 'video' | 'channel'; id: number; reachedId: number }

/** Videos first, then channels (docs/decisions/0018-search-index-outbox.md). */
export function listWaiting(db: Connection, limit: number): Promise<Waiting[]> {
  return selectWaiting(db, { limit, locked: sql`` })
}

/** Writers of these rows wait for it, and index again. */
export function lockWaiting(db: DatabaseTransaction, limit: number): Promise<Waiting[]> {
  return selectWaiting(db, { limit, locked: searchEngineOf(db).lockRows })
}

async function selectWaiting(
  db: Connection,
  { limit, locked }: { limit: number; locked: RawBuilder<unknown> },
): Promise<Waiting[]> {
  // One query per kind uses the primary key and needs no sorting.
  const next = (kind: Waiting['kind']) =>
    db
      .selectFrom('searchOutbox')
      .select(['kind', 'id', 'reachedId'])
      .where('kind', '=', kind)
      .orderBy('id')
      .limit(limit)
      .modifyEnd(locked)
      .execute()
  const videos = await next('video')
  return videos.length > 0 ? videos : next('channel')
}

export async function addAllChannels(db: DatabaseTransaction): Promise<void> {
  await sql`
    INSERT INTO "searchOutbox" ("kind", "id")
    SELECT 'channel', "id" FROM "users" WHERE TRUE
    ON CONFLICT ("kind", "id") DO UPDATE SET "reachedId" = 0`.execute(db)
}

export async function deleteWaiting(
  db: DatabaseTransaction,
  { kind, ids }: { kind: Waiting['kind']; ids: number[] },
): Promise<void> {
  await db.deleteFrom('searchOutbox').where('kind', '=', kind).where('id', 'in', ids).execute()
}

export async function listUnreachedVideos(
  db: DatabaseTransaction,
  { id, reachedId, limit }: Waiting & { limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('userId', '=', id)
    .where('id', '>', reachedId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

export async function updateReached(
  db: DatabaseTransaction,
  { id, reachedId }: { id: number; reachedId: number },
): Promise<void> {
  await db
    .updateTable('searchOutbox')
    .set({ reachedId })
    .where('kind', '=', 'channel')
    .where('id', '=', id)
    .execute()
}

/** SQL: the channel's names are indexed; its videos may still wait. */
export const isIndexedChannel: RawBuilder<SqlBool> = sql`NOT EXISTS (
  SELECT 1 FROM "searchOutbox"
  WHERE "kind" = 'channel' AND "searchOutbox"."id" = "users"."id" AND "reachedId" = 0
)`

const selectWaitingOf = compiledOnce((db, { ids }: { ids: number[] }) =>
  sql<{ version: number; id: number | null }>`
    SELECT "searchState"."changes" AS "version", "searchOutbox"."id" FROM "searchState"
    LEFT JOIN "searchOutbox" ON "kind" = 'video' AND "searchOutbox"."id" IN ${listOf(ids)}`.compile(
    db,
  ),
)

export async function readWaiting(
  db: Connection,
  ids: number[],
): Promise<{ version: number; waiting: Set<number> }> {
  const rows = await selectWaitingOf(db, { ids })
  const waiting = new Set(rows.flatMap(({ id }) => id ?? []))
  return { version: rows[0]?.version ?? 0, waiting }
}
