import { sql } from 'kysely'
import { isSubscribedTo, toUser } from '#server/account/user/user.queries.ts'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { eachOf } from '#server/platform/db/expressions.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { User } from '#shared/schemas/user.schemas.ts'

type Featured = { userId: number; channelId: number }

/** Without banned members'. */
export async function listFeaturedChannels(
  db: Database,
  input: { userId: number; viewer: Viewer | undefined },
): Promise<User[]> {
  const rows = await db
    .selectFrom('featuredChannels')
    .innerJoin('users', 'users.id', 'featuredChannels.channelId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .select(['users.bannerUrl', 'users.bio', 'users.subscriberCount', 'users.isAdmin'])
    .select('users.createdAt')
    .select(isSubscribedTo(input.viewer).as('isSubscribed'))
    .where('featuredChannels.userId', '=', input.userId)
    .where('users.bannedAt', 'is', null)
    .orderBy('featuredChannels.position')
    .execute()
  return rows.map((row) => ({
    ...toUser(row),
    ...(row.isSubscribed !== null && { isSubscribed: row.isSubscribed === 1 }),
  }))
}

export async function listFeaturedIds(db: Database, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('featuredChannels')
    .select('channelId')
    .where('userId', '=', userId)
    .orderBy('position')
    .execute()
  return rows.map(({ channelId }) => channelId)
}

/** Appends the channel unless it is there. */
export async function insertFeaturedChannel(
  db: DatabaseTransaction,
  { userId, channelId }: Featured,
): Promise<void> {
  await sql`
    INSERT INTO "featuredChannels" ("userId", "channelId", "position")
    SELECT ${userId}, ${channelId}, coalesce(max("position"), 0) + 1
    FROM "featuredChannels" WHERE "userId" = ${userId}
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function deleteFeaturedChannel(db: Database, featured: Featured): Promise<void> {
  await db
    .deleteFrom('featuredChannels')
    .where('userId', '=', featured.userId)
    .where('channelId', '=', featured.channelId)
    .execute()
}

export async function updateFeaturedOrder(
  db: DatabaseTransaction,
  input: { userId: number; channelIds: number[] },
): Promise<void> {
  await sql`
    UPDATE "featuredChannels" SET "position" = "placed"."key" + 1
    FROM ${eachOf(input.channelIds)} AS "placed"
    WHERE "userId" = ${input.userId} AND "channelId" = "placed"."value"`.execute(db)
}
