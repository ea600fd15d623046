/** Members can turn off a kind of notification, which is then not stored for them, or only its push messages. */
import type { Database } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationPlace,
} from '#shared/notification-kinds.ts'
import { insertNotifications, type NewNotification } from './notification.queries.ts'

export async function findPlaces(
  db: Database,
  userId: number,
): Promise<Record<NotificationKind, NotificationPlace>> {
  const rows = await db
    .selectFrom('mutedNotifications')
    .select(['kind', 'mutes'])
    .where('userId', '=', userId)
    .execute()
  const mutes = new Map(rows.map((row) => [row.kind, row.mutes]))
  const placeOf = (kind: NotificationKind): NotificationPlace => {
    if (!mutes.has(kind)) return 'push'
    return mutes.get(kind) === 'push' ? 'bell' : 'none'
  }
  const places = NOTIFICATION_KINDS.map((kind) => [kind, placeOf(kind)])
  return Object.fromEntries(places) as Record<NotificationKind, NotificationPlace>
}

export async function savePlace(
  db: Database,
  input: { userId: number; kind: NotificationKind; place: NotificationPlace },
): Promise<void> {
  const { place, ...row } = input
  if (place !== 'push') {
    const mutes = place === 'bell' ? ('push' as const) : ('all' as const)
    await db
      .insertInto('mutedNotifications')
      .values({ ...row, mutes })
      .onConflict((conflict) => conflict.columns(['userId', 'kind']).doUpdateSet({ mutes }))
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
    .where('mutes', '=', 'all')
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
  await insertNotifications(
    db,
    told.map((row) => ({ ...row, kind })),
  )
  return told.map(({ userId }) => userId)
}
