import { type Selectable, sql } from 'kysely'
import { type Database, timestamp, writeQuietly } from '#server/platform/db/database.ts'
import type { WebhookDeliveriesTable } from '#server/platform/db/tables/webhook.ts'
import { DELIVERIES_SHOWN, DELIVERY_DAYS } from '#shared/webhooks.ts'

const DAY_MS = 86_400_000

export type DeliveryRow = Selectable<WebhookDeliveriesTable>

export async function insertDelivery(
  db: Database,
  delivery: Pick<DeliveryRow, 'webhookId' | 'messageId' | 'kind' | 'data'> & {
    /** Null for a message that is sent at once. */
    nextAt: string | null
  },
): Promise<number> {
  const { id } = await db
    .insertInto('webhookDeliveries')
    .values({ ...delivery, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findDelivery(db: Database, id: number): Promise<DeliveryRow | undefined> {
  return db.selectFrom('webhookDeliveries').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Leaves out messages of paused and of `busy` webhooks. */
export async function findDueDelivery(
  db: Database,
  { now, busy }: { now: string; busy: number[] },
): Promise<DeliveryRow | undefined> {
  let query = db
    .selectFrom('webhookDeliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhookDeliveries.webhookId')
    .selectAll('webhookDeliveries')
    .where('webhookDeliveries.nextAt', 'is not', null)
    .where('webhookDeliveries.nextAt', '<=', now)
    .where('webhooks.isActive', '=', sql.lit(1))
    .where('webhooks.pausedAt', 'is', null)
    .orderBy('webhookDeliveries.nextAt')
    .orderBy('webhookDeliveries.id')
    .limit(1)
  if (busy.length > 0) query = query.where('webhookDeliveries.webhookId', 'not in', busy)
  return query.executeTakeFirst()
}

/** Returns the newest first. */
export async function listDeliveries(db: Database, webhookId: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(DELIVERIES_SHOWN)
    .execute()
}

export async function hasDeliverySince(
  db: Database,
  { kind, since }: { kind: string; since: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('kind', '=', kind)
    .where('createdAt', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateDelivery(
  db: Database,
  { id, change }: { id: number; change: Partial<Omit<DeliveryRow, 'id'>> },
): Promise<void> {
  await db.updateTable('webhookDeliveries').set(change).where('id', '=', id).execute()
}

/** Gives up messages that have waited for a day, for example for a paused webhook, and deletes old messages. */
export async function tidyDeliveries(db: Database, now = Date.now()): Promise<void> {
  const before = (ms: number) => timestamp(new Date(now - ms))
  await writeQuietly(db, async (transaction) => {
    await transaction
      .updateTable('webhookDeliveries')
      .set({ state: 'failed', nextAt: null })
      .where('nextAt', 'is not', null)
      .where('createdAt', '<', before(DAY_MS + DAY_MS / 24))
      .execute()
    await transaction
      .deleteFrom('webhookDeliveries')
      .where('nextAt', 'is', null)
      .where('createdAt', '<', before(DELIVERY_DAYS * DAY_MS))
      .execute()
  })
}

/** @returns false if it was announced before */
export async function insertAnnouncedVideo(db: Database, videoId: number): Promise<boolean> {
  const result = await db
    .insertInto('announcedVideos')
    .values({ videoId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findReportedThing(db: Database, id: number) {
  return db
    .selectFrom('reports')
    .leftJoin('comments', 'comments.id', 'reports.commentId')
    .select(['reports.id', 'reports.kind', 'reports.createdAt'])
    .select((eb) => eb.fn.coalesce('reports.videoId', 'comments.videoId').as('videoId'))
    .where('reports.id', '=', id)
    .executeTakeFirst()
}

export async function findFailedJob(db: Database, id: number) {
  return db
    .selectFrom('jobs')
    .select(['id', 'kind', 'error', 'videoId', 'finishedAt'])
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .executeTakeFirst()
}
