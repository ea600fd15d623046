import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf, listOfTexts } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { InboxFilter, InboxItem } from '#shared/schemas/inbox.schemas.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { isListedOrOwnVideo } from '../video/video.access.ts'

type Place = { folder: string; path: string }

const STATES: Record<InboxFilter, readonly InboxItem['state'][]> = {
  open: ['new', 'queued'],
  dismissed: ['dismissed'],
  unusable: ['unusable'],
}

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

/** Of files that are again as they were examined. */
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

/** Replaces what was known of the path. */
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

export async function findPicture(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('inboxPictures')
    .innerJoin('inboxItems', 'inboxItems.id', 'inboxPictures.itemId')
    .select('inboxPictures.jpeg')
    .where('inboxItems.id', '=', id)
    .where('inboxItems.userId', '=', viewer.id)
    .executeTakeFirst()
  return row?.jpeg
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

/** As a viewer, for the checks of an upload; undefined if banned. */
export async function findOwner(db: Database, id: number): Promise<Viewer | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'isAdmin'])
    .where('id', '=', id)
    .where('bannedAt', 'is', null)
    .executeTakeFirst()
  return row && { ...row, isAdmin: row.isAdmin === 1 }
}

export async function listInboxItems(
  db: Database,
  input: PageInput & { viewer: Viewer; show: InboxFilter },
): Promise<Page<InboxItem>> {
  const { viewer, show, limit, cursor } = input
  let query = db
    .selectFrom('inboxItems')
    .leftJoin('uploads', 'uploads.id', 'inboxItems.uploadId')
    .select([
      'inboxItems.id',
      'inboxItems.path',
      'inboxItems.state',
      'inboxItems.problem',
      'inboxItems.isMissing',
      'inboxItems.fileSize',
      'inboxItems.game',
      'inboxItems.recordedAt',
      'inboxItems.duration',
      'inboxItems.details',
      'inboxItems.identity',
      'uploads.chunkCount',
    ])
    .select((eb) => [
      eb
        .selectFrom('inboxPictures')
        .select('inboxPictures.itemId')
        .whereRef('inboxPictures.itemId', '=', 'inboxItems.id')
        .as('picture'),
      eb
        .selectFrom('videos')
        .select('videos.id')
        .whereRef('videos.id', '=', 'inboxItems.duplicateVideoId')
        .where(isListedOrOwnVideo(viewer))
        .as('duplicateVideoId'),
      eb
        .selectFrom('videos')
        .select('videos.title')
        .whereRef('videos.id', '=', 'inboxItems.duplicateVideoId')
        .where(isListedOrOwnVideo(viewer))
        .as('duplicateTitle'),
      eb
        .selectFrom('inboxItems as earlier')
        .select('earlier.path')
        .whereRef('earlier.id', '=', 'inboxItems.duplicateItemId')
        .where('earlier.userId', '=', viewer.id)
        .as('duplicatePath'),
      eb
        .selectFrom('uploadChunks')
        .select((chunk) => chunk.fn.countAll<number>().as('count'))
        .whereRef('uploadChunks.uploadId', '=', 'inboxItems.uploadId')
        .as('chunksStored'),
    ])
    .where('inboxItems.userId', '=', viewer.id)
    .where('inboxItems.state', 'in', STATES[show])
    .where('inboxItems.original', '<>', 'removed')
    .orderBy('inboxItems.recordedAt', 'desc')
    .orderBy('inboxItems.id', 'desc')
    .limit(limit + 1)
  if (show === 'unusable') query = query.where('inboxItems.isMissing', '=', 0)
  if (cursor) {
    const { time, id } = decodeCursor(cursor)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('inboxItems.recordedAt', 'inboxItems.id'), '<', tuple(time, id)),
    )
  }
  return toPage(await query.execute(), limit, {
    position: (row) => ({ time: row.recordedAt, id: row.id }),
    item: (row): InboxItem => {
      const details = JSON.parse(row.details ?? '{}') as Partial<UploadDetails>
      const title = row.duplicateTitle ?? row.duplicatePath
      return {
        id: row.id,
        path: row.path,
        state: row.state as InboxItem['state'],
        problem: row.problem,
        isMissing: row.isMissing === 1,
        fileSize: row.fileSize,
        game: row.game,
        recordedAt: row.recordedAt,
        duration: row.duration,
        pictureUrl:
          row.picture === null ? null : `/api/inbox/${row.id}/picture?v=${versionOf(row)}`,
        title: details.title ?? row.path,
        description: details.description ?? '',
        category: details.category ?? 'Other',
        tags: details.tags ?? [],
        isAnonymous: details.isAnonymous ?? null,
        visibility: details.visibility ?? null,
        squadId: details.squadId ?? null,
        duplicateOf: title === null ? null : { videoId: row.duplicateVideoId, title },
        percent: Math.floor((100 * Number(row.chunksStored ?? 0)) / (row.chunkCount || 1)),
      }
    },
  })
}

/** The time of the file's change, in which pictures of one item differ. */
const versionOf = ({ identity }: { identity: string }) => identity.split(' ')[1] ?? ''

export async function countWaiting(
  db: Database,
  userId: number,
  state: 'new' | 'unusable' = 'new',
): Promise<number> {
  const { count } = await db
    .selectFrom('inboxItems')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', '=', state)
    .where('isMissing', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
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

/** Oldest decision first. */
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

/** Published ones whose original is to go: the video plays, or was deleted. */
export async function listLeavingOriginals(
  db: Database,
  { limit, afterId }: { limit: number; afterId: number },
): Promise<InboxItemRow[]> {
  const published = db
    .selectFrom('inboxItems')
    .selectAll('inboxItems')
    .where('inboxItems.state', '=', sql.lit('published'))
    .where('inboxItems.id', '>', afterId)
    .orderBy('inboxItems.id')
    .limit(limit)
  const deleted = await published.where('inboxItems.videoId', 'is', null).execute()
  const playing = await published
    .innerJoin('videos', 'videos.id', 'inboxItems.videoId')
    .where('inboxItems.original', '=', sql.lit('leaving'))
    .where('videos.processingState', '=', 'ready')
    .execute()
  return [...deleted, ...playing].sort((one, other) => one.id - other.id).slice(0, limit)
}

/** Published ones whose original has been gone since before `since`. */
export async function listLostOriginals(
  db: Database,
  { since, folders, limit }: { since: string; folders: readonly string[]; limit: number },
): Promise<InboxItemRow[]> {
  return db
    .selectFrom('inboxItems')
    .selectAll()
    .where('state', '=', sql.lit('published'))
    .where('original', '=', sql.lit('there'))
    .where('missingSince', '<', since)
    .where('folder', 'in', listOfTexts([...folders]))
    .orderBy('missingSince')
    .limit(limit)
    .execute()
}

/** Whether another file of the owner has the content, or had it after `since`. */
export async function isContentThere(
  db: Database,
  { item, since }: { item: InboxItemRow; since: string },
): Promise<boolean> {
  const { id, contentKey, userId } = item
  const row = await db
    .selectFrom('inboxItems')
    .select('id')
    .where('contentKey', '=', contentKey)
    .where('userId', '=', userId)
    .where('id', '<>', id)
    .where('original', '<>', 'removed')
    .where((eb) => eb.or([eb('isMissing', '=', 0), eb('missingSince', '>=', since)]))
    .executeTakeFirst()
  return row !== undefined
}

export async function listUnusableFiles(db: Database, input: PageInput) {
  const { limit, cursor } = input
  let query = db
    .selectFrom('inboxItems')
    .select(['id', 'folder', 'path', 'fileSize', 'problem', 'foundAt'])
    .where('state', '=', 'unusable')
    .where('isMissing', '=', 0)
    .orderBy('foundAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const { time, id } = decodeCursor(cursor)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('foundAt', 'id'), '<', tuple(time, id)),
    )
  }
  return toPage(await query.execute(), limit, {
    position: (row) => ({ time: row.foundAt, id: row.id }),
    item: (row) => ({ ...row, problem: row.problem ?? '' }),
  })
}

/** Of files that have been missing since before `since`, and about which nothing was decided that lasts. */
export async function deleteMissing(db: DatabaseTransaction, since: string): Promise<void> {
  await db
    .deleteFrom('inboxItems')
    .where('missingSince', '<', since)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['new', 'unusable']),
        eb.and([eb('original', '=', 'removed'), eb('videoId', 'is', null)]),
      ]),
    )
    .execute()
}

/** They are examined again. */
export async function forgetUnusable(db: Database): Promise<void> {
  await db.deleteFrom('inboxItems').where('state', '=', 'unusable').execute()
}

export async function countItems(db: Database): Promise<Record<InboxItemRow['state'], number>> {
  const rows = await db
    .selectFrom('inboxItems')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where((eb) => eb.or([eb('isMissing', '=', 0), eb('state', '=', 'published')]))
    .groupBy('state')
    .execute()
  const counts = { new: 0, queued: 0, published: 0, dismissed: 0, unusable: 0 }
  for (const { state, count } of rows) counts[state] = Number(count)
  return counts
}
