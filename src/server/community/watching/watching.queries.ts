import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'

export async function findShowsPresence(db: Database, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('showsPresence')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.showsPresence === 1
}

export async function listVisibleOf(
  db: Database,
  { ids, viewer }: { ids: number[]; viewer: Viewer | undefined },
): Promise<number[]> {
  const rows = await db
    .selectFrom('videos')
    .select('videos.id')
    .where('videos.id', 'in', listOf(ids))
    .where(isVisibleVideo(viewer))
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns those of `userIds` whom the viewer follows and who show their presence. */
export async function listFollowedFaces(
  db: Database,
  { userIds, viewerId, limit }: { userIds: number[]; viewerId: number; limit: number },
) {
  return db
    .selectFrom('users')
    .select(['users.id', 'users.displayName', 'users.avatarUrl'])
    .where('users.id', 'in', listOf(userIds))
    .where('users.showsPresence', '=', 1)
    .where('users.bannedAt', 'is', null)
    .where(
      sql<boolean>`EXISTS (
        SELECT 1 FROM "subscriptions" WHERE "subscriptions"."subscriberId" = ${viewerId}
          AND "subscriptions"."channelId" = "users"."id"
      )`,
    )
    .orderBy('users.id')
    .limit(limit)
    .execute()
}
