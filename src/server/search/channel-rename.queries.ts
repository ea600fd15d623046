import { sql } from 'kysely'
import type { DatabaseTransaction } from '../db/database.ts'
import { renamedWords, videoColumns, videoRows } from './indexed-rows.ts'

/** A channel whose new name has not reached all of its videos in the index. */
export type ChannelRename = { userId: number; reachedId: number }

/** The one of that channel, else any. */
export async function findChannelRename(
  db: DatabaseTransaction,
  input: { userId?: number },
): Promise<ChannelRename | undefined> {
  let query = db.selectFrom('channelRenames').select(['userId', 'reachedId'])
  if (input.userId !== undefined) query = query.where('userId', '=', input.userId)
  return query.orderBy('userId').limit(1).executeTakeFirst()
}

/** The next videos that the new name is to reach. */
export async function listUnreachedVideos(
  db: DatabaseTransaction,
  { userId, reachedId, limit }: ChannelRename & { limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '>', reachedId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Puts the new name into the index for these videos, which come next. */
export async function indexNewName(
  db: DatabaseTransaction,
  input: { userId: number; ids: number[] },
): Promise<void> {
  const { userId, ids } = input
  const chosen = sql`"videos"."id" IN (${sql.join(ids)}) AND "videos"."isAnonymous" = 0`
  await sql`
    INSERT INTO "searchTerms" ("term", "videoCount") ${renamedWords} AND ${chosen}
    ON CONFLICT ("term") DO UPDATE SET "videoCount" = "videoCount" + "excluded"."videoCount"`.execute(
    db,
  )
  await db
    .updateTable('channelRenames')
    .set({ reachedId: ids.at(-1) ?? 0 })
    .where('userId', '=', userId)
    .execute()
  await sql`DELETE FROM "videoSearch" WHERE "rowid" IN (
    SELECT "id" FROM "videos" WHERE ${chosen})`.execute(db)
  await sql`INSERT INTO "videoSearch" (${videoColumns}) ${videoRows} AND ${chosen}`.execute(db)
  await sql`UPDATE "searchState" SET "changes" = "changes" + 1`.execute(db)
}

/** All videos have the new name. When the channel has yet another by now, that one follows. */
export async function endChannelRename(db: DatabaseTransaction, userId: number): Promise<void> {
  await sql`
    DELETE FROM "channelRenames" WHERE "userId" = ${userId} AND EXISTS (
      SELECT 1 FROM "users" WHERE "users"."id" = "channelRenames"."userId"
        AND "displayName" = "newDisplayName" AND "username" = "newUsername")`.execute(db)
  await sql`
    UPDATE "channelRenames" SET "reachedId" = 0,
      "oldDisplayName" = "newDisplayName", "oldUsername" = "newUsername",
      ("newDisplayName", "newUsername") =
        (SELECT "displayName", "username" FROM "users" WHERE "users"."id" = "channelRenames"."userId")
    WHERE "userId" = ${userId}`.execute(db)
}
