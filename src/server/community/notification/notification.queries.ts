import { type RawBuilder, sql } from 'kysely'
import { BATCH_ROWS, inBatches } from '#server/platform/db/batches.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { NotificationType } from '#server/platform/db/tables/community.ts'
import { INBOX_GROUP, type NotificationKind } from '#shared/notification-kinds.ts'

const LIKE_WINDOW_MS = 60 * 60 * 1000
/** How many notifications of a group are changed at a time, which takes some 3 ms. */
const GROUP_ROWS = 100

export type NewNotification = {
  userId: number
  type: NotificationType
  title: string
  message: string
  sourceUserId: number | null
  videoId?: number | null
  commentId?: number | null
  postId?: number | null
  squadId?: number | null
  groupKey?: string
  groupText?: string
  /** Members cannot turn off a notification without a kind. */
  kind?: NotificationKind
}

export async function insertNotifications(db: Database, rows: NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  const createdAt = timestamp()
  await db
    .insertInto('notifications')
    .values(rows.map((row) => ({ ...row, createdAt })))
    .execute()
}

/** About the comment, or else the post itself. */
export async function listNotifiedOf(
  db: Database,
  input: { about: Pick<NewNotification, 'commentId' | 'postId'>; userIds: number[] },
): Promise<number[]> {
  const { commentId = null, postId = null } = input.about
  const notified = db
    .selectFrom('notifications')
    .select('userId')
    .where('userId', 'in', listOf(input.userIds))
  const rows = await (commentId === null
    ? notified.where('postId', '=', postId).where('commentId', 'is', null)
    : notified.where('commentId', '=', commentId)
  ).execute()
  return rows.map((row) => row.userId)
}

export async function deleteShareNotifications(
  db: DatabaseTransaction,
  { videoId, userIds }: { videoId: number; userIds: number[] },
): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('videoId', '=', videoId)
    .where('type', '=', 'upload')
    .where('userId', 'in', listOf(userIds))
    .execute()
}

/**
 * Deletes notifications of leaders about a member's request to a squad, or those of a member about
 * the squad, such as its invitation.
 * @returns the members whose notifications were deleted
 */
export async function deleteSquadNotifications(
  db: DatabaseTransaction,
  input: { of: 'request' | 'invitation'; squadId: number; userId: number },
): Promise<number[]> {
  const [type, column] =
    input.of === 'request'
      ? (['new_subscriber', 'sourceUserId'] as const)
      : (['subscription', 'userId'] as const)
  const rows = await db
    .deleteFrom('notifications')
    .where('squadId', '=', input.squadId)
    .where('type', '=', type)
    // Only news of the squad have a group.
    .where('groupKey', 'is', null)
    .where(column, '=', input.userId)
    .returning('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Collects likes for an hour. */
export async function findOpenLikeNotification(
  db: Database,
  input: { userId: number; videoId: number },
) {
  return db
    .selectFrom('notifications')
    .select(['id', 'sourceCount'])
    .where('userId', '=', input.userId)
    .where('videoId', '=', input.videoId)
    .where('type', '=', 'like')
    .where('createdAt', '>', timestamp(new Date(Date.now() - LIKE_WINDOW_MS)))
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

export async function updateLikeNotification(
  db: Database,
  input: { id: number; sourceCount: number; sourceUserId: number; message: string },
) {
  const { id, ...change } = input
  await db
    .updateTable('notifications')
    .set({ ...change, read: 0 })
    .where('id', '=', id)
    .execute()
}

export async function findUnreadRecordings(db: Database, userId: number) {
  // '!' follows the space in ASCII, so it is the end of the range.
  return db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', userId)
    .where('groupKey', '>=', `${INBOX_GROUP} `)
    .where('groupKey', '<', `${INBOX_GROUP}!`)
    .where('read', '=', 0)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

export async function updateMessage(
  db: Database,
  { id, message }: { id: number; message: string },
): Promise<void> {
  await db.updateTable('notifications').set({ message }).where('id', '=', id).execute()
}

/**
 * Keeps those that count others too. Limited per call.
 * @returns how many rows changed
 */
export async function deleteNameFromLikes(db: Database, userId: number): Promise<number> {
  const result = await sql`
    UPDATE "notifications" SET "sourceUserId" = NULL WHERE "id" IN (
      SELECT "id" FROM "notifications"
      WHERE "sourceUserId" = ${userId} AND "sourceCount" > 1 LIMIT ${BATCH_ROWS}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function updateRead(
  db: Database,
  input: { userId: number; id: number },
): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read: 1 })
    .where('userId', '=', input.userId)
    .where('id', '=', input.id)
    .execute()
}

export async function updateAllRead(db: Database, userId: number): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT max("id") AS "id" FROM "notifications" WHERE "userId" = ${userId} AND "read" = 0`.execute(
    db,
  )
  // Later ones were not seen yet.
  const lastId = rows[0]?.id ?? 0
  return inBatches(async () => {
    const result = await sql`
      UPDATE "notifications" SET "read" = 1 WHERE "id" IN (
        SELECT "id" FROM "notifications"
        WHERE "userId" = ${userId} AND "read" = 0 AND "id" <= ${lastId} LIMIT ${BATCH_ROWS}
      )`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

export async function deleteNotification(db: Database, input: { id: number; userId: number }) {
  const result = await db
    .deleteFrom('notifications')
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Marks a group as read up to `lastId`, the newest one that the page showed. */
export async function updateGroupRead(db: Database, group: SeenGroup): Promise<number> {
  return inBatches(async () => {
    const result = await sql`
      UPDATE "notifications" SET "read" = 1
      WHERE "id" IN (${someOfGroup(group, sql`AND "read" = 0`)})`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

export async function deleteGroup(db: Database, group: SeenGroup): Promise<number> {
  return inBatches(async () => {
    const result = await sql`
      DELETE FROM "notifications" WHERE "id" IN (${someOfGroup(group, sql``)})`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

type SeenGroup = { userId: number; groupKey: string; lastId: number }

function someOfGroup({ userId, groupKey, lastId }: SeenGroup, more: RawBuilder<unknown>) {
  return sql`
    SELECT "id" FROM "notifications"
    WHERE "userId" = ${userId} AND "groupKey" = ${groupKey} AND "id" <= ${lastId} ${more}
    LIMIT ${GROUP_ROWS}`
}

/** Finds the member's own notification, even if its subject is no longer visible to them. */
export async function findGroupKey(db: Database, input: { id: number; userId: number }) {
  return db
    .selectFrom('notifications')
    .select('groupKey')
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .executeTakeFirst()
}
