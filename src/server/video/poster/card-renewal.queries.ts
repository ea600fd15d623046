import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { retireOtherFiles, updateComingFiles } from '../media/media-file.queries.ts'
import type { CardsResult } from '../processing/tasks/media-task.ts'
import { addressOf, fileIn } from '../video/media-address.ts'

export type OldCard = { id: number; mediaKey: string; thumbnailUrl: string }

/** Finds the newest video with a card of an older version. */
export async function findOldCard(db: Database): Promise<OldCard | undefined> {
  return db
    .selectFrom('videos')
    .select(['id', 'mediaKey', 'thumbnailUrl'])
    .$narrowType<{ thumbnailUrl: string }>()
    .where('cardUrl', 'is not', null)
    .where('preview', 'is', null)
    .where('thumbnailUrl', 'is not', null)
    .where('processingState', '=', 'ready')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** Does nothing if the video got another picture meanwhile. */
export async function replaceCards(
  db: DatabaseTransaction,
  { video, made }: { video: OldCard; made: CardsResult },
): Promise<void> {
  const { id: videoId, thumbnailUrl } = video
  const updated = await db
    .updateTable('videos')
    .set({ cardUrl: addressOf(made.cardFile), preview: made.preview })
    .where('id', '=', videoId)
    .where('thumbnailUrl', '=', thumbnailUrl)
    .where('preview', 'is', null)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return
  const names = made.files.map(({ name }) => name)
  await updateComingFiles(db, { videoId, names })
  const keep = [...names, fileIn(thumbnailUrl) ?? '']
  await retireOtherFiles(db, { videoId, kinds: ['picture'], keep })
}

/** Marks the video as done; it keeps its old card. */
export async function skipOldCard(db: Database, { id, thumbnailUrl }: OldCard): Promise<void> {
  await inTransaction(db, (transaction) =>
    transaction
      .updateTable('videos')
      .set({ preview: '' })
      .where('id', '=', id)
      .where('thumbnailUrl', '=', thumbnailUrl)
      .execute(),
  )
}
