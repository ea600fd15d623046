import type { Selectable } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { ImportedVideosTable } from '#server/platform/db/tables/import.ts'

export type ImportedVideo = Selectable<ImportedVideosTable>
type SourceKey = Pick<ImportedVideo, 'userId' | 'source' | 'sourceId'>

export async function findImportedVideo(
  db: Database,
  { userId, source, sourceId }: SourceKey,
): Promise<ImportedVideo | undefined> {
  return db
    .selectFrom('importedVideos')
    .selectAll()
    .where('userId', '=', userId)
    .where('source', '=', source)
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
}

export async function findImportOfUpload(
  db: Database,
  uploadId: string,
): Promise<ImportedVideo | undefined> {
  return db
    .selectFrom('importedVideos')
    .selectAll()
    .where('uploadId', '=', uploadId)
    .executeTakeFirst()
}

export async function isImportedVideo(db: Database, videoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('importedVideos')
    .select('id')
    .where('videoId', '=', videoId)
    .where('uploadId', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertImportedVideo(
  db: DatabaseTransaction,
  imported: Omit<ImportedVideo, 'id' | 'createdAt'>,
): Promise<number> {
  const { id } = await db
    .insertInto('importedVideos')
    .values({ ...imported, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateImportedVideo(
  db: DatabaseTransaction,
  input: { id: number; change: Partial<Pick<ImportedVideo, 'state' | 'videoId' | 'uploadId'>> },
): Promise<void> {
  await db.updateTable('importedVideos').set(input.change).where('id', '=', input.id).execute()
}

/** Deletes the row of a video that was not imported. A later import tries it again. */
export async function deleteUnpublishedImport(db: DatabaseTransaction, id: number): Promise<void> {
  await db
    .deleteFrom('importedVideos')
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute()
}
