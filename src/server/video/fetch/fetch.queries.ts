import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { FetchRow } from '#server/platform/db/tables/upload.ts'

export async function insertFetch(
  db: DatabaseTransaction,
  fetch: Pick<FetchRow, 'userId' | 'url' | 'fileName' | 'details' | 'size'>,
): Promise<number> {
  const now = timestamp()
  const { id } = await db
    .insertInto('fetches')
    .values({ ...fetch, runAfter: now, createdAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findFetch(db: Database, id: number): Promise<FetchRow | undefined> {
  return db.selectFrom('fetches').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the uploads with the number of chunks that have arrived, newest last. */
export async function listFetches(db: Database, userId: number) {
  return db
    .selectFrom('fetches')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('uploadChunks')
        .select((chunk) => chunk.fn.countAll<number>().as('count'))
        .whereRef('uploadChunks.uploadId', '=', 'fetches.uploadId')
        .$asScalar()
        .$castTo<number>()
        .as('chunksStored'),
    )
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

export async function countOpenFetches(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('fetches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', 'in', ['queued', 'same'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The first of each member, in the order in which they are due. */
export async function listDueFetches(
  db: Database,
  { exceptUserIds, limit }: { exceptUserIds: number[]; limit: number },
): Promise<{ id: number; userId: number }[]> {
  let query = db
    .selectFrom('fetches')
    .select(['id', 'userId'])
    .where('state', '=', sql.lit('queued'))
    .where('runAfter', '<=', timestamp())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('fetches as earlier')
            .select('earlier.id')
            .whereRef('earlier.userId', '=', 'fetches.userId')
            .whereRef('earlier.id', '<', 'fetches.id')
            .where('earlier.state', '=', sql.lit('queued'))
            .where('earlier.runAfter', '<=', timestamp()),
        ),
      ),
    )
    .orderBy('runAfter')
    .orderBy('id')
    .limit(limit)
  if (exceptUserIds.length > 0) query = query.where('userId', 'not in', listOf(exceptUserIds))
  return query.execute()
}

/** Returns those of the ids that are still to be fetched. */
export async function listQueued(db: Database, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('fetches')
    .select('id')
    .where('id', 'in', listOf(ids))
    .where('state', '=', sql.lit('queued'))
    .execute()
  return rows.map(({ id }) => id)
}

type Change = Partial<Omit<FetchRow, 'id' | 'userId' | 'createdAt'>>

/** @returns false unless it has the state and the upload */
export async function updateFetch(
  db: Database,
  input: {
    id: number
    change: Change
    where: { states: FetchRow['state'][]; uploadId?: string | null }
  },
): Promise<boolean> {
  const { uploadId, states } = input.where
  let query = db
    .updateTable('fetches')
    .set(input.change)
    .where('id', '=', input.id)
    .where('state', 'in', states)
  if (uploadId !== undefined)
    query = query.where('uploadId', uploadId === null ? 'is' : '=', uploadId)
  const result = await query.executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteFetch(db: Database, id: number): Promise<void> {
  await db.deleteFrom('fetches').where('id', '=', id).execute()
}

/** Deletes those that are over and that nobody has looked at since. */
export async function deleteOldFetches(db: Database, before: string): Promise<void> {
  await db
    .deleteFrom('fetches')
    .where('state', 'in', ['done', 'failed'])
    .where('createdAt', '<', before)
    .execute()
}
