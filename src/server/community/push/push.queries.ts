import { type Selectable, sql } from 'kysely'
import { type Database, timestamp, writeQuietly } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { PushesTable } from '#server/platform/db/tables/push.ts'

export type PushRow = Selectable<PushesTable>

/** @param input.busy ids of browsers to which a message is being sent */
export async function findDuePush(
  db: Database,
  { now, busy }: { now: string; busy: number[] },
): Promise<PushRow | undefined> {
  let query = db
    .selectFrom('pushes')
    .selectAll()
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .orderBy('id')
    .limit(1)
  if (busy.length > 0) query = query.where('subscriptionId', 'not in', busy)
  return query.executeTakeFirst()
}

/** Claims the other due notifications for the browser, so that one message covers all of them. */
export async function claimOthers(
  db: Database,
  { subscriptionId, until }: { subscriptionId: number; until: string },
): Promise<Pick<PushRow, 'id' | 'notificationId'>[]> {
  return writeQuietly(db, (transaction) =>
    transaction
      .updateTable('pushes')
      .set({ nextAt: until })
      .where('subscriptionId', '=', subscriptionId)
      .where('nextAt', '<=', timestamp())
      .returning(['id', 'notificationId'])
      .execute(),
  )
}

/** Returns the ids of unread notifications whose kind the member wants to be pushed. */
export async function listWanted(
  db: Database,
  { userId, notificationIds }: { userId: number; notificationIds: number[] },
): Promise<number[]> {
  const rows = await db
    .selectFrom('notifications')
    .leftJoin('mutedNotifications', (join) =>
      join
        .onRef('mutedNotifications.userId', '=', 'notifications.userId')
        .onRef('mutedNotifications.kind', '=', 'notifications.kind'),
    )
    .select('notifications.id')
    .where('notifications.userId', '=', userId)
    .where('notifications.id', 'in', listOf(notificationIds))
    .where('notifications.read', '=', sql.lit(0))
    .where('mutedNotifications.kind', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deletePushes(db: Database, ids: number[]): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction.deleteFrom('pushes').where('id', 'in', listOf(ids)).execute(),
  )
}

export async function deletePushesTo(db: Database, subscriptionId: number): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction.deleteFrom('pushes').where('subscriptionId', '=', subscriptionId).execute(),
  )
}

export async function postponePushes(
  db: Database,
  { ids, ...change }: { ids: number[]; nextAt: string; lastError?: string; attempts?: number },
): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction.updateTable('pushes').set(change).where('id', 'in', listOf(ids)).execute(),
  )
}

/** Also deletes the pushes to the browser, by their foreign key. */
export async function deleteBrowser(db: Database, id: number): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction.deleteFrom('pushSubscriptions').where('id', '=', id).execute(),
  )
}

export async function noteSent(db: Database, id: number): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction
      .updateTable('pushSubscriptions')
      .set({ sentAt: timestamp() })
      .where('id', '=', id)
      .execute(),
  )
}
