import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOfTexts } from '#server/platform/db/expressions.ts'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'

/** Lists published items whose original may have to be deleted, because the video plays or was deleted. */
export async function listLeavingOriginals(
  db: Database,
  { limit, afterId }: { limit: number; afterId: number },
): Promise<InboxItemRow[]> {
  const published = db
    .selectFrom('inboxItems')
    .selectAll('inboxItems')
    .where('inboxItems.state', '=', sql.lit('published'))
    .where('inboxItems.id', '>', afterId)
    .orderBy('inboxItems.id')
    .limit(limit)
  const deleted = await published.where('inboxItems.videoId', 'is', null).execute()
  const playing = await published
    .innerJoin('videos', 'videos.id', 'inboxItems.videoId')
    .where('inboxItems.original', '=', sql.lit('leaving'))
    .where('videos.processingState', '=', 'ready')
    .execute()
  return [...deleted, ...playing].sort((one, other) => one.id - other.id).slice(0, limit)
}

/** Lists published items whose original has been missing since before `since`. */
export async function listLostOriginals(
  db: Database,
  { since, folders, limit }: { since: string; folders: readonly string[]; limit: number },
): Promise<InboxItemRow[]> {
  return db
    .selectFrom('inboxItems')
    .selectAll()
    .where('state', '=', sql.lit('published'))
    .where('original', '=', sql.lit('there'))
    .where('missingSince', '<', since)
    .where('folder', 'in', listOfTexts([...folders]))
    .orderBy('missingSince')
    .limit(limit)
    .execute()
}

/** Returns whether another file of the owner has the same content, or had it after `since`. */
export async function isContentThere(
  db: Database,
  { item, since }: { item: InboxItemRow; since: string },
): Promise<boolean> {
  const { id, contentKey, userId } = item
  const row = await db
    .selectFrom('inboxItems')
    .select('id')
    .where('contentKey', '=', contentKey)
    .where('userId', '=', userId)
    .where('id', '<>', id)
    .where('original', '<>', 'removed')
    .where((eb) => eb.or([eb('isMissing', '=', 0), eb('missingSince', '>=', since)]))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes items whose file has been missing since before `since`, unless they were dismissed, queued or published. Published
 * items are deleted only if both the original and the video were removed.
 */
export async function deleteMissing(db: DatabaseTransaction, since: string): Promise<void> {
  await db
    .deleteFrom('inboxItems')
    .where('missingSince', '<', since)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['new', 'unusable']),
        eb.and([eb('original', '=', 'removed'), eb('videoId', 'is', null)]),
      ]),
    )
    .execute()
}
