import type { Database } from '#server/platform/db/database.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { InboxFilter, InboxItem } from '#shared/schemas/inbox.schemas.ts'
import type { UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { isListedOrOwnVideo } from '../video/video.access.ts'

const STATES: Record<InboxFilter, readonly InboxItem['state'][]> = {
  open: ['new', 'queued'],
  dismissed: ['dismissed'],
  unusable: ['unusable'],
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

/** Returns the time of change of the file. It makes the address of a new picture differ. */
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
