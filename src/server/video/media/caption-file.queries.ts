import { type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { updateComingFiles } from './media-file.queries.ts'

export type NewCaptions = { videoId: number; language: string; label: string; file: string }

/** After the file is stored. */
export async function insertCaptions(
  db: DatabaseTransaction,
  captions: NewCaptions,
): Promise<number> {
  const { id } = await db
    .insertInto('captions')
    .values({ ...captions, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await updateComingFiles(db, { videoId: captions.videoId, names: [captions.file] })
  return id
}
