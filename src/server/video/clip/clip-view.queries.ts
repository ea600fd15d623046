import { sql } from 'kysely'
import { BATCH_ROWS, inBatches } from '#server/platform/db/batches.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { REPEAT_MS } from '../view/view.queries.ts'

/** @returns false within 6 hours of the viewer's last view */
export async function insertClipView(
  db: DatabaseTransaction,
  view: { clipId: number; viewerKey: string },
): Promise<boolean> {
  const { clipId, viewerKey } = view
  const now = Date.now()
  const result = await sql`
    INSERT INTO "clipViews" ("clipId", "viewerKey", "viewedAt")
    VALUES (${clipId}, ${viewerKey}, ${timestamp(new Date(now))})
    ON CONFLICT ("clipId", "viewerKey") DO UPDATE SET "viewedAt" = "excluded"."viewedAt"
    WHERE "clipViews"."viewedAt" <= ${timestamp(new Date(now - REPEAT_MS))}`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}

export async function countRecentClipViews(
  db: DatabaseTransaction,
  input: { clipId: number; network: string },
): Promise<number> {
  const { count } = await db
    .selectFrom('clipViews')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('clipId', '=', input.clipId)
    // Prefix range: '.' follows '-'.
    .where('viewerKey', '>', `${input.network}-`)
    .where('viewerKey', '<', `${input.network}.`)
    .where('viewedAt', '>', timestamp(new Date(Date.now() - REPEAT_MS)))
    .executeTakeFirstOrThrow()
  return count
}

export async function addClipView(db: DatabaseTransaction, id: number): Promise<void> {
  await db
    .updateTable('clips')
    .set({ viewCount: sql`"viewCount" + 1` })
    .where('id', '=', id)
    .execute()
}

/** Older views do not prevent another one. */
export async function deleteOldClipViews(db: Database): Promise<void> {
  const before = timestamp(new Date(Date.now() - REPEAT_MS))
  await inBatches(async () => {
    const result = await sql`
      DELETE FROM "clipViews" WHERE ("clipId", "viewerKey") IN (
        SELECT "clipId", "viewerKey" FROM "clipViews" WHERE "viewedAt" < ${before} LIMIT ${BATCH_ROWS}
      )`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}
