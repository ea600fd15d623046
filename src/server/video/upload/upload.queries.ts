import { listUsersById } from '#server/account/user/user.queries.ts'
import {
  type Database,
  type DatabaseTransaction,
  timestamp,
  writeQuietly,
} from '#server/platform/db/database.ts'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { foldText } from '#server/platform/db/words.ts'
import { UPLOAD_IDLE_HOURS } from '#shared/limits.ts'
import type { UnfinishedUpload, UploadDetails } from '#shared/schemas/upload.schemas.ts'

const OPEN_STATES = ['receiving', 'finalizing'] as const

export async function findUpload(
  db: Database,
  input: { id: string; userId: number },
): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .executeTakeFirst()
}

export async function listReceivedChunks(db: Database, uploadId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('uploadChunks')
    .select('chunkIndex')
    .where('uploadId', '=', uploadId)
    .orderBy('chunkIndex')
    .execute()
  return rows.map((row) => row.chunkIndex)
}

export async function listChunks(
  db: Database,
  uploadId: string,
): Promise<{ chunkIndex: number; hash: Uint8Array }[]> {
  return db
    .selectFrom('uploadChunks')
    .select(['chunkIndex', 'hash'])
    .where('uploadId', '=', uploadId)
    .orderBy('chunkIndex')
    .execute()
}

export async function deleteChunks(
  db: Database,
  input: { uploadId: string; chunkIndexes: number[] },
): Promise<void> {
  await db
    .deleteFrom('uploadChunks')
    .where('uploadId', '=', input.uploadId)
    .where('chunkIndex', 'in', input.chunkIndexes)
    .execute()
}

export async function findChunkHash(
  db: Database,
  input: { uploadId: string; chunkIndex: number },
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('uploadChunks')
    .select('hash')
    .where('uploadId', '=', input.uploadId)
    .where('chunkIndex', '=', input.chunkIndex)
    .executeTakeFirst()
  return row?.hash
}

/** Does nothing unless the upload is the member's, and receiving. */
export async function updateAliveAt(
  db: Database,
  { id, userId, aliveAt }: { id: string; userId: number; aliveAt: string | null },
): Promise<void> {
  await writeQuietly(db, async (transaction) => {
    await transaction
      .updateTable('uploads')
      .set({ aliveAt })
      .where('id', '=', id)
      .where('userId', '=', userId)
      .where('state', '=', 'receiving')
      .where('reservedVideoId', 'is not', null)
      .execute()
  })
}

export async function updateReservedVideo(
  db: DatabaseTransaction,
  { id, reservedVideoId }: { id: string; reservedVideoId: number },
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ reservedVideoId, aliveAt: timestamp() })
    .where('id', '=', id)
    .execute()
}

/** Does nothing unless the upload is receiving. */
export async function insertChunk(
  db: Database,
  input: { uploadId: string; chunkIndex: number; hash: Uint8Array },
): Promise<void> {
  await writeQuietly(db, async (transaction) => {
    const now = timestamp()
    await transaction.insertInto('uploadChunks').values(input).execute()
    await transaction
      .updateTable('uploads')
      .set({ touchedAt: now, aliveAt: now })
      .where('id', '=', input.uploadId)
      .execute()
  })
}

export async function countOpenUploads(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', 'in', OPEN_STATES)
    .where('isFromInbox', '=', 0)
    .executeTakeFirstOrThrow()
  return count
}

export type CompleteDetails = UploadDetails & { isAnonymous: boolean }

type NewUpload = Pick<
  UploadRow,
  | 'id'
  | 'userId'
  | 'fileName'
  | 'fileSize'
  | 'chunkCount'
  | 'mediaKey'
  | 'replacesVideoId'
  | 'isFromInbox'
> &
  CompleteDetails

export async function insertUpload(db: DatabaseTransaction, upload: NewUpload): Promise<void> {
  const { tags, isAnonymous, participants, ...fields } = upload
  const now = timestamp()
  await db
    .insertInto('uploads')
    .values({
      ...fields,
      state: 'receiving',
      tags: JSON.stringify(tags),
      participants: JSON.stringify(participants),
      isAnonymous: isAnonymous ? 1 : 0,
      createdAt: now,
      touchedAt: now,
    })
    .execute()
}

export async function updateUploadDetails(
  db: Database,
  input: { id: string; details: CompleteDetails },
): Promise<void> {
  const { tags, isAnonymous, participants, ...texts } = input.details
  await db
    .updateTable('uploads')
    .set({
      ...texts,
      tags: JSON.stringify(tags),
      participants: JSON.stringify(participants),
      isAnonymous: isAnonymous ? 1 : 0,
      touchedAt: timestamp(),
    })
    .where('id', '=', input.id)
    .execute()
}

/** The length of a streamed file is known at its end. */
export async function updateUploadSize(
  db: Database,
  input: { id: string; fileSize: number; chunkCount: number },
): Promise<void> {
  const { id, ...size } = input
  await db
    .updateTable('uploads')
    .set({ ...size, touchedAt: timestamp() })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .execute()
}

export async function updateUploadThumbnail(
  db: Database,
  { id, ...change }: { id: string } & Partial<Pick<UploadRow, 'thumbnailUrl' | 'thumbnailBytes'>>,
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ ...change, touchedAt: timestamp() })
    .where('id', '=', id)
    .execute()
}

type StateChange = {
  id: string
  from: UploadRow['state']
  to: UploadRow['state']
  change?: Partial<Pick<UploadRow, 'failure' | 'prepared' | 'videoId' | 'thumbnailUrl'>>
}

/** @returns false unless its state is in `from` */
export async function moveUpload(
  db: Database | DatabaseTransaction,
  input: StateChange,
): Promise<boolean> {
  const result = await db
    .updateTable('uploads')
    .set({ ...input.change, state: input.to, touchedAt: timestamp() })
    .where('id', '=', input.id)
    .where('state', '=', input.from)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Before any file moves. */
export async function updatePrepared(db: Database, input: { id: string; prepared: string }) {
  await db
    .updateTable('uploads')
    .set({ prepared: input.prepared })
    .where('id', '=', input.id)
    .execute()
}

export async function insertVideoOfUpload(
  db: DatabaseTransaction,
  video: Omit<NewVideoRow, 'foldedTitle'>,
): Promise<number> {
  const { id } = await db
    .insertInto('videos')
    .values({ ...video, foldedTitle: foldText(video.title) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function videoExists(db: DatabaseTransaction, id: number): Promise<boolean> {
  const row = await db.selectFrom('videos').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export async function listOpenUploads(db: Database, userId: number): Promise<UnfinishedUpload[]> {
  const rows = await db
    .selectFrom('uploads')
    .select(['id', 'fileName', 'fileSize', 'chunkCount', 'touchedAt'])
    .select([
      'title',
      'description',
      'category',
      'tags',
      'isAnonymous',
      'thumbnailUrl',
      'visibility',
      'squadId',
      'participants',
    ])
    .select((eb) =>
      eb
        .selectFrom('uploadChunks')
        .select((chunk) => chunk.fn.countAll<number>().as('count'))
        .whereRef('uploadChunks.uploadId', '=', 'uploads.id')
        .$asScalar()
        .$castTo<number>()
        .as('chunksStored'),
    )
    .where('userId', '=', userId)
    .where('state', '=', 'receiving')
    .where('isFromInbox', '=', 0)
    .orderBy('touchedAt', 'desc')
    .execute()
  const named = rows.map((row) => JSON.parse(row.participants) as number[])
  const members = await listUsersById(db, named.flat())
  return rows.map(({ tags, isAnonymous, ...row }, index) => ({
    ...row,
    tags: JSON.parse(tags) as string[],
    isAnonymous: isAnonymous === 1,
    participants: members.filter(({ id }) => named[index]?.includes(id)),
  }))
}

export async function listFinalizingUploads(db: Database): Promise<UploadRow[]> {
  return db.selectFrom('uploads').selectAll().where('state', '=', 'finalizing').execute()
}

export async function listIdleUploads(db: Database, now: Date): Promise<string[]> {
  const idleSince = new Date(now.getTime() - UPLOAD_IDLE_HOURS * 3_600_000)
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('state', '=', 'receiving')
    .where('touchedAt', '<', timestamp(idleSince))
    .execute()
  return rows.map((row) => row.id)
}
