import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { VideoRow } from '#server/platform/db/tables/video.ts'

export async function findModeratedVideo(db: Database, id: number) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(['videos.id', 'videos.userId', 'videos.title', 'videos.isAnonymous'])
    .select(['videos.contentApproved', 'videos.processingState', 'videos.withheld'])
    .select(['videos.description', 'videos.category', 'videos.tags'])
    .select('users.bannedAt as ownerBannedAt')
    .where('videos.id', '=', id)
    .where('videos.processingState', '<>', 'deleting')
    .executeTakeFirst()
}

export async function updateApproval(
  db: Database,
  input: { id: number } & Pick<VideoRow, 'contentApproved' | 'rejectionReason' | 'withheld'>,
): Promise<void> {
  const { id, ...change } = input
  const resubmission = change.contentApproved === 1 ? { resubmissionCount: 0 } : {}
  await db
    .updateTable('videos')
    .set({ ...change, ...resubmission })
    .where('id', '=', id)
    .execute()
}

export async function updateIsAdmin(
  db: Database,
  input: { userId: number; isAdmin: boolean },
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ isAdmin: input.isAdmin ? 1 : 0 })
    .where('id', '=', input.userId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function countBanConsequences(db: Database, userId: number) {
  const now = new Date()
  const { rows } = await sql<{
    videos: number
    comments: number
    posts: number
    sessions: number
    apiTokens: number
    uploads: number
  }>`SELECT
    (SELECT count(*) FROM "videos" WHERE "videos"."userId" = ${userId}
      AND "videos"."contentApproved" = 1 AND "videos"."processingState" <> 'deleting') AS "videos",
    (SELECT count(*) FROM "comments" WHERE "comments"."userId" = ${userId}
      AND "comments"."withheld" IS NULL) AS "comments",
    (SELECT count(*) FROM "posts" WHERE "posts"."channelId" = ${userId}
      AND "posts"."withheld" IS NULL) AS "posts",
    (SELECT count(*) FROM "sessions" WHERE "sessions"."userId" = ${userId}
      AND "sessions"."expiresAt" > ${Math.floor(now.getTime() / 1000)}) AS "sessions",
    (SELECT count(*) FROM "apiTokens" WHERE "apiTokens"."userId" = ${userId}
      AND ("apiTokens"."expiresAt" IS NULL OR "apiTokens"."expiresAt" > ${timestamp(now)})
    ) AS "apiTokens"`.execute(db)
  return rows[0] as (typeof rows)[0]
}

/**
 * Ends sessions and share links, hides videos and posts. Other moderation stays. Also cancels a scheduled deletion,
 * because a banned member could not sign in to keep the account.
 */
export async function updateBanned(
  db: DatabaseTransaction,
  input: { userId: number; reason: string; deletesContent: boolean },
): Promise<void> {
  const { userId, reason, deletesContent } = input
  await db
    .updateTable('users')
    .set({
      bannedAt: timestamp(),
      banReason: reason,
      banDeletes: deletesContent ? 1 : 0,
      deletesAt: null,
    })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('sessions').where('userId', '=', userId).execute()
  await db.deleteFrom('passwordResets').where('userId', '=', userId).execute()
  await db
    .updateTable('videos')
    .set({ contentApproved: 0, withheld: 'banned' })
    .where('userId', '=', userId)
    .where('contentApproved', '=', 1)
    .execute()
  await db
    .updateTable('posts')
    .set({ withheld: 'banned' })
    .where('channelId', '=', userId)
    .where('withheld', 'is', null)
    .execute()
}

/** Shows only the videos and posts that the ban hid. */
export async function updateUnbanned(db: DatabaseTransaction, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ bannedAt: null, banReason: null, banDeletes: 0 })
    .where('id', '=', userId)
    .execute()
  await db
    .updateTable('videos')
    .set({ contentApproved: 1, withheld: null })
    .where('userId', '=', userId)
    .where('withheld', '=', 'banned')
    .execute()
  await db
    .updateTable('posts')
    .set({ withheld: null })
    .where('channelId', '=', userId)
    .where('withheld', '=', 'banned')
    .execute()
}

export async function listMembersBannedBefore(db: Database, time: Date) {
  return selectBannedBefore(db, time).execute()
}

export async function wasBannedBefore(
  db: DatabaseTransaction,
  { userId, time }: { userId: number; time: Date },
): Promise<boolean> {
  const row = await selectBannedBefore(db, time).where('id', '=', userId).executeTakeFirst()
  return row !== undefined
}

function selectBannedBefore(db: Database, time: Date) {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('bannedAt', '<', timestamp(time))
    .where('banDeletes', '=', 1)
    .where('deletion', 'is', null)
}

export async function resolveReportsAbout(
  db: Database,
  input: { column: 'videoId' | 'commentId' | 'channelId' | 'postId'; id: number; closedBy: number },
): Promise<void> {
  await db
    .updateTable('reports')
    .set({ state: 'resolved', closedAt: timestamp(), closedBy: input.closedBy })
    .where(sql.ref(`reports.${input.column}`), '=', input.id)
    .where('state', '=', 'open')
    .execute()
}
