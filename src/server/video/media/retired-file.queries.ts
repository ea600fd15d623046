import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { MediaFilesTable } from '#server/platform/db/tables/video.ts'
import { BEING_DELETED } from './media-file.queries.ts'

/** Files that a better one stood for since before `time`. */
export async function listRetiredFiles(db: Database, time: Date) {
  return db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .select(['mediaFiles.videoId', 'mediaFiles.name', 'mediaFiles.bytes', 'videos.mediaKey'])
    .where('mediaFiles.retiredAt', '<', timestamp(time))
    .execute()
}

/** Those of some files of a video that are retired, or never came. */
export async function listUnpublishedFiles(
  db: Database,
  input: { videoId: number; names: string[] },
) {
  if (input.names.length === 0) return []
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes'])
    .where('videoId', '=', input.videoId)
    .where('name', 'in', input.names)
    .where('retiredAt', 'is not', null)
    .execute()
}

/** The files of a video that others stand for. */
export async function listRetiredFilesOfVideo(
  db: Database,
  input: { videoId: number; kinds: MediaFilesTable['kind'][] },
) {
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes'])
    .where('videoId', '=', input.videoId)
    .where('kind', 'in', input.kinds)
    .where('retiredAt', 'is not', null)
    .execute()
}

/**
 * Marks a retired file as one that is being deleted, so that an attempt that comes late does not publish it.
 * @returns false where it was published, or is forgotten
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

/** Bytes of the retired files of a video that are not stored under one of the names: they are counted until their rows go. */
export async function sumComingBytes(
  db: Database,
  input: { videoId: number; stored: ReadonlySet<string> },
): Promise<number> {
  const rows = await db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes'])
    .where('videoId', '=', input.videoId)
    .where('retiredAt', 'is not', null)
    .execute()
  return rows.reduce((sum, { name, bytes }) => sum + (input.stored.has(name) ? 0 : (bytes ?? 0)), 0)
}

export async function updateStorageBytes(
  db: Database,
  input: { videoId: number; storageBytes: number },
): Promise<void> {
  const { videoId, storageBytes } = input
  await db.updateTable('videos').set({ storageBytes }).where('id', '=', videoId).execute()
}

/** Forgets a retired file, whose bytes its video no longer takes. Nothing happens where it was published, or is forgotten. */
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
