import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf, listOfTexts } from '#server/platform/db/expressions.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'

type Place = { folder: string; path: string }

export async function listKnownFiles(db: Database, folder: string, paths: string[]) {
  return db
    .selectFrom('inboxItems')
    .select(['id', 'path', 'identity', 'isMissing', 'original'])
    .where('folder', '=', folder)
    .where('path', 'in', listOfTexts(paths))
    .execute()
}

export async function listPresentFiles(
  db: Database,
  { folder, afterId, limit }: { folder: string; afterId: number; limit: number },
) {
  return db
    .selectFrom('inboxItems')
    .select(['id', 'path'])
    .where('folder', '=', folder)
    .where('isMissing', '=', sql.lit(0))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function updateMissing(
  db: Database,
  { ids, isMissing }: { ids: number[]; isMissing: Flag },
): Promise<void> {
  if (ids.length === 0) return
  const missingSince = isMissing ? timestamp() : null
  await db
    .updateTable('inboxItems')
    .set({ isMissing, missingSince })
    .where('id', 'in', listOf(ids))
    .execute()
}

/** For files that are the same again as when they were examined. */
export async function clearProblems(db: Database, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('inboxItems')
    .set({ problem: null })
    .where('id', 'in', listOf(ids))
    .where('state', '<>', 'unusable')
    .execute()
}

export async function findItemAt(
  db: Database,
  { folder, path }: Place,
): Promise<InboxItemRow | undefined> {
  return db
    .selectFrom('inboxItems')
    .selectAll()
    .where('folder', '=', folder)
    .where('path', '=', path)
    .executeTakeFirst()
}

export async function findItem(db: Database, id: number): Promise<InboxItemRow | undefined> {
  return db.selectFrom('inboxItems').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function listSameContent(
  db: Database,
  { contentKey, userId }: { contentKey: string; userId: number },
): Promise<InboxItemRow[]> {
  return db
    .selectFrom('inboxItems')
    .selectAll()
    .where('contentKey', '=', contentKey)
    .where('userId', '=', userId)
    .where('state', '<>', 'unusable')
    .orderBy('id')
    .limit(50)
    .execute()
}

type Change = Partial<Omit<InboxItemRow, 'id'>>

/** @returns false unless `where` still holds */
export async function updateItem(
  db: Database,
  input: {
    id: number
    change: Change
    where?: Partial<Pick<InboxItemRow, 'state' | 'identity' | 'uploadId'>>
  },
): Promise<boolean> {
  let query = db
    .updateTable('inboxItems')
    .set({ ...input.change, changedAt: timestamp() })
    .where('id', '=', input.id)
  const { state, identity, uploadId } = input.where ?? {}
  if (state !== undefined) query = query.where('state', '=', state)
  if (identity !== undefined) query = query.where('identity', '=', identity)
  if (uploadId !== undefined)
    query = query.where('uploadId', uploadId === null ? 'is' : '=', uploadId)
  const result = await query.executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteItemAt(db: DatabaseTransaction, place: Place): Promise<void> {
  await db
    .deleteFrom('inboxItems')
    .where('folder', '=', place.folder)
    .where('path', '=', place.path)
    .execute()
}

type NewItem = Omit<
  InboxItemRow,
  | 'id'
  | 'isMissing'
  | 'missingSince'
  | 'uploadId'
  | 'videoId'
  | 'original'
  | 'foundAt'
  | 'changedAt'
>

/** Replaces an earlier item of the path. */
export async function saveItem(db: DatabaseTransaction, item: NewItem): Promise<number> {
  const now = timestamp()
  const fields = {
    ...item,
    ...{
      isMissing: 0 as const,
      missingSince: null,
      uploadId: null,
      videoId: null,
      original: 'there' as const,
    },
    ...{ foundAt: now, changedAt: now },
  }
  const { id } = await db
    .insertInto('inboxItems')
    .values(fields)
    .onConflict((conflict) => conflict.columns(['folder', 'path']).doUpdateSet(fields))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function savePicture(
  db: DatabaseTransaction,
  { itemId, jpeg }: { itemId: number; jpeg: Uint8Array | undefined },
): Promise<void> {
  await deletePictures(db, [itemId])
  if (jpeg) await db.insertInto('inboxPictures').values({ itemId, jpeg }).execute()
}

export async function deletePictures(db: Database, itemIds: number[]): Promise<void> {
  await db.deleteFrom('inboxPictures').where('itemId', 'in', listOf(itemIds)).execute()
}

/** The first admin, to whom files without another owner belong. */
export async function findFirstAdmin(db: Database) {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('isAdmin', '=', sql.lit(1))
    .where('bannedAt', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
}

/** Ignores case, and includes banned members. */
export async function listNamedMembers(db: Database, names: string[]) {
  if (names.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'username', 'bannedAt'])
    .where('username', 'in', names)
    .execute()
}

export async function listOwnItems(
  db: Database,
  { ids, userId }: { ids: number[]; userId: number },
): Promise<InboxItemRow[]> {
  return db
    .selectFrom('inboxItems')
    .selectAll()
    .where('id', 'in', listOf(ids))
    .where('userId', '=', userId)
    .execute()
}

/** The earliest decision comes first. */
export async function listQueuedItems(
  db: Database,
  { folders, limit }: { folders: readonly string[]; limit: number },
): Promise<InboxItemRow[]> {
  return db
    .selectFrom('inboxItems')
    .selectAll()
    .where('state', '=', 'queued')
    .where('folder', 'in', listOfTexts([...folders]))
    .where('isMissing', '=', 0)
    .where('identity', '<>', '')
    .orderBy('changedAt')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Deletes the items of files that cannot be used, so that the files are examined again. */
export async function forgetUnusable(db: Database): Promise<void> {
  await db.deleteFrom('inboxItems').where('state', '=', 'unusable').execute()
}
