import type { Selectable } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { PushSubscriptionsTable } from '#server/platform/db/tables/push.ts'
import type { QuietHours } from '#shared/quiet-hours.ts'

export type SubscriptionRow = Selectable<PushSubscriptionsTable>

/** Replaces an earlier subscription of the endpoint, which may belong to another member or session. */
export async function saveSubscription(
  db: DatabaseTransaction,
  row: Pick<SubscriptionRow, 'userId' | 'sessionId' | 'endpoint' | 'p256dh' | 'auth' | 'userAgent'>,
): Promise<void> {
  const { userId, endpoint } = row
  await db
    .deleteFrom('pushSubscriptions')
    .where('endpoint', '=', endpoint)
    .where('userId', '!=', userId)
    .execute()
  const { sessionId, p256dh, auth, userAgent } = row
  await db
    .insertInto('pushSubscriptions')
    .values({ ...row, createdAt: timestamp() })
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({ sessionId, p256dh, auth, userAgent }),
    )
    .execute()
}

/** Keeps one subscription per session, and the newest `max` of the member. */
export async function deleteOtherSubscriptions(
  db: DatabaseTransaction,
  input: { userId: number; sessionId: string; endpoint: string; max: number },
): Promise<void> {
  const { userId, sessionId, endpoint, max } = input
  await db
    .deleteFrom('pushSubscriptions')
    .where('sessionId', '=', sessionId)
    .where('endpoint', '!=', endpoint)
    .execute()
  const oldest = await db
    .selectFrom('pushSubscriptions')
    .select('id')
    .where('userId', '=', userId)
    .where('endpoint', '!=', endpoint)
    .orderBy('id', 'desc')
    .offset(max - 1)
    .limit(max)
    .execute()
  for (const { id } of oldest) {
    await db.deleteFrom('pushSubscriptions').where('id', '=', id).execute()
  }
}

export async function listSubscriptions(db: Database, userId: number): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('pushSubscriptions')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

export async function findSubscriptionOfSession(
  db: Database,
  sessionId: string,
): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('pushSubscriptions')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function deleteSubscription(
  db: Database,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const result = await db
    .deleteFrom('pushSubscriptions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Returns the subscription and its member, or undefined if the session has ended or the member is banned or leaving. */
export async function findLiveSubscription(db: Database, id: number) {
  return db
    .selectFrom('pushSubscriptions')
    .innerJoin('sessions', 'sessions.id', 'pushSubscriptions.sessionId')
    .innerJoin('users', 'users.id', 'pushSubscriptions.userId')
    .selectAll('pushSubscriptions')
    .select(['users.username', 'users.displayName', 'users.isAdmin'])
    .where('pushSubscriptions.id', '=', id)
    .where('sessions.expiresAt', '>', Math.floor(Date.now() / 1000))
    .where('users.bannedAt', 'is', null)
    .where('users.deletion', 'is', null)
    .where('users.deletesAt', 'is', null)
    .executeTakeFirst()
}

export async function findQuietHours(
  db: Database,
  userId: number,
): Promise<QuietHours | undefined> {
  return db
    .selectFrom('quietHours')
    .select(['fromMinute', 'toMinute', 'timeZone'])
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function saveQuietHours(
  db: Database,
  { userId, hours }: { userId: number; hours: QuietHours | null },
): Promise<void> {
  if (hours === null) {
    await db.deleteFrom('quietHours').where('userId', '=', userId).execute()
    return
  }
  await db
    .insertInto('quietHours')
    .values({ userId, ...hours })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(hours))
    .execute()
}
