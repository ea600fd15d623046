import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { retireOtherFiles, updateComingFiles } from '../media/media-file.queries.ts'
import type { PosterResult } from '../processing/tasks/media-task.ts'
import { addressKey, addressOf } from '../video/media-address.ts'

export async function findPosterSources(db: Database, id: number) {
  return db
    .selectFrom('videos')
    .select([
      'id',
      'userId',
      'mediaKey',
      'videoUrl',
      'storyboardUrl',
      'duration',
      'processingState',
    ])
    .select(addressKey.as('addressKey'))
    .where('id', '=', id)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
}

/**
 * @returns the new address
 * @throws `not-found` during deletion
 */
export async function replacePoster(
  db: DatabaseTransaction,
  input: { id: number; made: PosterResult; names: string[] },
): Promise<string> {
  const { id, made, names } = input
  const { posterFile, cardFile, preview } = made
  const updated = await db
    .updateTable('videos')
    .set({ thumbnailUrl: addressOf(posterFile), cardUrl: addressOf(cardFile), preview })
    .where('id', '=', id)
    .where('processingState', '<>', 'deleting')
    .returning('thumbnailUrl')
    .executeTakeFirst()
  if (!updated?.thumbnailUrl) {
    throw new AppError('not-found', 'This video was deleted meanwhile.')
  }
  await updateComingFiles(db, { videoId: id, names })
  await retireOtherFiles(db, { videoId: id, kinds: ['picture'], keep: names })
  return updated.thumbnailUrl
}
