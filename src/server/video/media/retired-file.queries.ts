import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { MediaFilesTable } from '#server/platform/db/tables/video.ts'
import { BEING_DELETED } from './media-file.queries.ts'

function selectRetired(db: Database, videoId: number) {
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes'])
    .where('videoId', '=', videoId)
    .where('retiredAt', 'is not', null)
}

export async function listRetiredFiles(db: Database, time: Date) {
  return db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .select(['mediaFiles.videoId', 'mediaFiles.name', 'mediaFiles.bytes', 'videos.mediaKey'])
    .where('mediaFiles.retiredAt', '<', timestamp(time))
    .execute()
}

export async function listUnpublishedFiles(
  db: Database,
  input: { videoId: number; names: string[] },
) {
  if (input.names.length === 0) return []
  return selectRetired(db, input.videoId).where('name', 'in', input.names).execute()
}

export async function listRetiredFilesOfVideo(
  db: Database,
  input: { videoId: number; kinds: MediaFilesTable['kind'][] },
) {
  return selectRetired(db, input.videoId).where('kind', 'in', input.kinds).execute()
}

/**
 * A late attempt cannot publish it then.
 * @returns false when published or without a row
 */
export async function updateDeletedFile(
  db: Database,
  file: { videoId: number; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mediaFiles')
    .set({ retiredAt: BEING_DELETED })
    .where('videoId', '=', file.videoId)
    .where('name', '=', file.name)
    .where('retiredAt', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** They count until their rows are deleted. */
export async function sumComingBytes(
  db: Database,
  input: { videoId: number; stored: ReadonlySet<string> },
): Promise<number> {
  const rows = await selectRetired(db, input.videoId).execute()
  return rows.reduce((sum, { name, bytes }) => sum + (input.stored.has(name) ? 0 : (bytes ?? 0)), 0)
}

/** Also subtracts its bytes. Has no effect on a published file. */
export async function deleteRetiredFile(
  db: Database,
  file: { videoId: number; name: string; bytes: number | null },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('mediaFiles')
      .where('videoId', '=', file.videoId)
      .where('name', '=', file.name)
      .where('retiredAt', 'is not', null)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    await transaction
      .updateTable('videos')
      .set((eb) => ({ storageBytes: eb('storageBytes', '-', file.bytes ?? 0) }))
      .where('id', '=', file.videoId)
      .execute()
  })
}
