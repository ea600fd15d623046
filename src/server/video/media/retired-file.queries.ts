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

/** Lists the files that were retired before `time`. */
export async function listRetiredFiles(db: Database, time: Date) {
  return db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .select(['mediaFiles.videoId', 'mediaFiles.name', 'mediaFiles.bytes', 'videos.mediaKey'])
    .where('mediaFiles.retiredAt', '<', timestamp(time))
    .execute()
}

/** Lists those of some files of a video that are retired or were never stored. */
export async function listUnpublishedFiles(
  db: Database,
  input: { videoId: number; names: string[] },
) {
  if (input.names.length === 0) return []
  return selectRetired(db, input.videoId).where('name', 'in', input.names).execute()
}

/** Lists the retired files of some kinds that a video has. */
export async function listRetiredFilesOfVideo(
  db: Database,
  input: { videoId: number; kinds: MediaFilesTable['kind'][] },
) {
  return selectRetired(db, input.videoId).where('kind', 'in', input.kinds).execute()
}

/**
 * Marks a retired file as being deleted, so that a late attempt does not publish it.
 * @returns false when it was published meanwhile, or has no row
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

/** Sums the bytes of retired files whose names are not in `stored`: they count until their rows are deleted. */
export async function sumComingBytes(
  db: Database,
  input: { videoId: number; stored: ReadonlySet<string> },
): Promise<number> {
  const rows = await selectRetired(db, input.videoId).execute()
  return rows.reduce((sum, { name, bytes }) => sum + (input.stored.has(name) ? 0 : (bytes ?? 0)), 0)
}

/** Deletes the row of a retired file and subtracts its bytes from its video. A file that was published meanwhile stays. */
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
