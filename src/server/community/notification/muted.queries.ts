/** Members can turn off kinds of notifications; these are not stored for them. */
import type { Database } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { NotificationKind } from '#shared/notification-kinds.ts'
import { insertNotifications, type NewNotification } from './notification.queries.ts'

export async function listMutedKinds(db: Database, userId: number): Promise<NotificationKind[]> {
  const rows = await db
    .selectFrom('mutedNotifications')
    .select('kind')
    .where('userId', '=', userId)
    .orderBy('kind')
    .execute()
  return rows.map((row) => row.kind)
}

export async function saveMuted(
  db: Database,
  input: { userId: number; kind: NotificationKind; isMuted: boolean },
): Promise<void> {
  const { isMuted, ...row } = input
  if (isMuted) {
    await db
      .insertInto('mutedNotifications')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return
  }
  await db
    .deleteFrom('mutedNotifications')
    .where('userId', '=', row.userId)
    .where('kind', '=', row.kind)
    .execute()
}

/** Returns those of `userIds` who have not turned the kind off. */
export async function listListening(
  db: Database,
  { kind, userIds }: { kind: NotificationKind; userIds: number[] },
): Promise<number[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('mutedNotifications')
    .select('userId')
    .where('kind', '=', kind)
    .where('userId', 'in', listOf(userIds))
    .execute()
  const deaf = new Set(rows.map((row) => row.userId))
  return userIds.filter((userId) => !deaf.has(userId))
}

/** @returns the members who were notified */
export async function insertForListening(
  db: Database,
  { kind, rows }: { kind: NotificationKind; rows: NewNotification[] },
): Promise<number[]> {
  const userIds = await listListening(db, { kind, userIds: rows.map(({ userId }) => userId) })
  const told = rows.filter(({ userId }) => userIds.includes(userId))
  await insertNotifications(db, told)
  return told.map(({ userId }) => userId)
}
