import { type Selectable, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { WebhooksTable } from '#server/platform/db/tables/webhook.ts'
import { WEBHOOK_FAILURES_MAX } from '#shared/webhooks.ts'

export type WebhookRow = Selectable<WebhooksTable>

export async function listWebhooks(db: Database) {
  return db
    .selectFrom('webhooks')
    .leftJoin('squads', 'squads.id', 'webhooks.squadId')
    .leftJoin('users', 'users.id', 'webhooks.channelId')
    .selectAll('webhooks')
    .select(['squads.name as squadName', 'users.username as channelName'])
    .select(
      sql<number>`(
        SELECT count(*) FROM "webhookDeliveries"
        WHERE "webhookDeliveries"."webhookId" = "webhooks"."id" AND "webhookDeliveries"."nextAt" IS NOT NULL
      ) + (
        SELECT count(*) FROM "chatPosts"
        WHERE "chatPosts"."webhookId" = "webhooks"."id" AND "chatPosts"."nextAt" IS NOT NULL
      )`.as('waiting'),
    )
    .orderBy('webhooks.id')
    .execute()
}

export async function findWebhook(db: Database, id: number): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the webhooks that are neither switched off nor paused. */
export async function listActiveWebhooks(
  db: Database,
  format: WebhookRow['format'],
): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('format', '=', format)
    .where('isActive', '=', sql.lit(1))
    .where('pausedAt', 'is', null)
    .orderBy('id')
    .execute()
}

export async function countWebhooks(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type NewWebhook = Pick<WebhookRow, 'format' | 'name' | 'url'> & Partial<Omit<WebhookRow, 'id'>>

export async function insertWebhook(db: Database, webhook: NewWebhook): Promise<number> {
  const { id } = await db
    .insertInto('webhooks')
    .values({ ...webhook, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateWebhook(
  db: Database,
  { id, change }: { id: number; change: Partial<Omit<WebhookRow, 'id' | 'format'>> },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db.updateTable('webhooks').set(change).where('id', '=', id).execute()
}

export async function deleteWebhook(db: Database, id: number): Promise<void> {
  await db.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** @returns whether the webhook is now paused */
export async function noteFailure(
  db: DatabaseTransaction,
  { id, error, pauses }: { id: number; error: string; pauses: boolean },
): Promise<boolean> {
  const now = timestamp()
  const isLast = sql<boolean>`(${sql.lit(pauses ? 1 : 0)} = 1 OR "failures" + 1 >= ${WEBHOOK_FAILURES_MAX})`
  const row = await db
    .updateTable('webhooks')
    .set({
      failures: sql<number>`"failures" + 1`,
      lastError: error,
      pausedAt: sql<
        string | null
      >`CASE WHEN ${isLast} THEN coalesce("pausedAt", ${now}) ELSE "pausedAt" END`,
    })
    .where('id', '=', id)
    .returning('pausedAt')
    .executeTakeFirst()
  return row !== undefined && row.pausedAt !== null
}

export async function noteSuccess(db: DatabaseTransaction, id: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failures: 0, lastError: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('failures', '>', 0), eb('lastError', 'is not', null)]))
    .execute()
}

export async function squadExists(db: Database, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('squads')
    .select('id')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
