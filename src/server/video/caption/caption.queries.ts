import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { NewCaptions } from '../media/caption-file.queries.ts'
import { retireMediaFile, updateComingFiles } from '../media/media-file.queries.ts'
import { addressKey } from '../video/media-address.ts'

export async function findCaptionFolder(db: Database, id: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'userId', 'mediaKey', addressKey.as('addressKey')])
    .where('id', '=', id)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
}

export async function findCaptions(db: Database, id: number) {
  return db
    .selectFrom('captions')
    .innerJoin('videos', 'videos.id', 'captions.videoId')
    .select(['captions.id', 'captions.videoId', 'captions.language', 'captions.label'])
    .select(['captions.file', 'videos.mediaKey', addressKey.as('addressKey')])
    .where('captions.id', '=', id)
    .executeTakeFirst()
}

export async function listCaptionsOf(db: Database, videoId: number) {
  return db
    .selectFrom('captions')
    .select(['language', 'label', 'file', 'createdAt'])
    .where('videoId', '=', videoId)
    .orderBy('id')
    .execute()
}

export async function countCaptions(db: DatabaseTransaction, videoId: number): Promise<number> {
  const { count } = await db
    .selectFrom('captions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('videoId', '=', videoId)
    .executeTakeFirstOrThrow()
  return count
}

/** Empty texts in `said` keep the stored ones. */
export async function replaceCaptions(
  db: DatabaseTransaction,
  input: Pick<NewCaptions, 'videoId' | 'file'> & {
    id: number
    said: Pick<NewCaptions, 'language' | 'label'>
  },
): Promise<{ id: number; language: string; label: string }> {
  const { id, videoId, file, said } = input
  const old = await db
    .selectFrom('captions')
    .select(['file', 'language', 'label'])
    .where('id', '=', id)
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  if (!old) throw new AppError('not-found', 'There are no such captions.')
  const language = said.language || old.language
  const label = said.label || old.label
  await db.updateTable('captions').set({ language, label, file }).where('id', '=', id).execute()
  await updateComingFiles(db, { videoId, names: [file] })
  await retireMediaFile(db, { videoId, name: old.file })
  return { id, language, label }
}

export async function updateCaptions(
  db: Database,
  input: { id: number; change: { language?: string; label?: string } },
): Promise<void> {
  await db.updateTable('captions').set(input.change).where('id', '=', input.id).execute()
}

export async function deleteCaptions(
  db: DatabaseTransaction,
  input: { id: number; videoId: number; file: string },
): Promise<void> {
  await db.deleteFrom('captions').where('id', '=', input.id).execute()
  await retireMediaFile(db, { videoId: input.videoId, name: input.file })
}
