import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Subscription } from '#shared/schemas/community.schemas.ts'

type Key = { subscriberId: number; channelId: number }

/** @returns false when it existed */
export async function insertSubscription(db: DatabaseTransaction, key: Key): Promise<boolean> {
  const result = await db
    .insertInto('subscriptions')
    .values({ ...key, subscribedAt: timestamp() })
    .onConflict((conflict) => conflict.columns(['subscriberId', 'channelId']).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** @returns false when there was none */
export async function deleteSubscription(db: DatabaseTransaction, key: Key): Promise<boolean> {
  const result = await db
    .deleteFrom('subscriptions')
    .where('subscriberId', '=', key.subscriberId)
    .where('channelId', '=', key.channelId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** @throws when there is none */
export async function findSubscription(
  db: DatabaseTransaction,
  key: Key,
): Promise<Omit<Subscription, 'isNew'>> {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'subscriberId', 'channelId', 'subscribedAt'])
    .where('subscriberId', '=', key.subscriberId)
    .where('channelId', '=', key.channelId)
    .executeTakeFirstOrThrow()
}

export async function addToSubscriberCount(
  db: DatabaseTransaction,
  input: { channelId: number; change: 1 | -1 },
) {
  await db
    .updateTable('users')
    .set({ subscriberCount: sql`"subscriberCount" + ${input.change}` })
    .where('id', '=', input.channelId)
    .execute()
}

export async function listSubscribedChannels(db: Database, subscriberId: number) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('users', 'users.id', 'subscriptions.channelId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .where('subscriptions.subscriberId', '=', subscriberId)
    .where('users.bannedAt', 'is', null)
    .orderBy(sql`lower("users"."displayName")`)
    .limit(500)
    .execute()
}
