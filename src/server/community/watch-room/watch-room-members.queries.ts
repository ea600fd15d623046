import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf, listOfTexts, timeIn } from '#server/platform/db/expressions.ts'
import type { Presence } from '#server/platform/events/room-feed.ts'
import type { RoomPerson } from '#shared/schemas/watch-room.schemas.ts'
import type { RoomRole } from '#shared/watch-rooms.ts'

type Membership = { roomId: number; userId: number }

/** A node says every 20 s who is with it. Who has not been heard of for this long is gone. */
const GONE_AFTER_MS = 50_000
/** A host may reload the page, or lose the connection for a while. */
const HOST_KEPT_MS = 60_000

const isPresent = sql<boolean>`("watchRoomMembers"."isHere" = 1
  AND "watchRoomMembers"."seenAt" >= ${timeIn(-GONE_AFTER_MS)})`

/** Sorts the host first, then those who may steer. */
const byRank = sql`CASE "watchRoomMembers"."role" WHEN 'host' THEN 0 WHEN 'steers' THEN 1 ELSE 2 END`

export async function findRoomRole(
  db: Database,
  { roomId, userId }: Membership,
): Promise<RoomRole | undefined> {
  const row = await db
    .selectFrom('watchRoomMembers')
    .select('role')
    .where('roomId', '=', roomId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** Lists who is in the room. */
export async function listPeople(db: Database, roomId: number): Promise<RoomPerson[]> {
  return db
    .selectFrom('watchRoomMembers')
    .innerJoin('users', 'users.id', 'watchRoomMembers.userId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .select('watchRoomMembers.role')
    .where('watchRoomMembers.roomId', '=', roomId)
    .where(isPresent)
    .where('users.bannedAt', 'is', null)
    .orderBy(byRank)
    .orderBy('watchRoomMembers.joinedAt')
    .orderBy('watchRoomMembers.id')
    .execute()
}

export async function countGuests(db: Database, roomId: number): Promise<number> {
  const { count } = await db
    .selectFrom('watchRoomMembers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('roomId', '=', roomId)
    .where('guestKey', 'is not', null)
    .where(isPresent)
    .executeTakeFirstOrThrow()
  return count
}

export async function countPresent(db: Database, roomId: number): Promise<number> {
  const { count } = await db
    .selectFrom('watchRoomMembers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('roomId', '=', roomId)
    .where(isPresent)
    .executeTakeFirstOrThrow()
  return count
}

/** Someone who comes back keeps their role. */
export async function upsertPresent(
  db: Database,
  { roomId, role, ...presence }: Presence & { roomId: number; role: RoomRole },
): Promise<void> {
  const seen = { isHere: 1 as const, seenAt: timeIn(0) }
  await db
    .insertInto('watchRoomMembers')
    .values({ roomId, role, ...presence, ...seen, joinedAt: timeIn(0) })
    .onConflict((conflict) =>
      conflict
        .columns('userId' in presence ? ['roomId', 'userId'] : ['roomId', 'guestKey'])
        .doUpdateSet(seen),
    )
    .execute()
}

export async function updateSeen(
  db: Database,
  { roomId, userIds, guestKeys }: { roomId: number; userIds: number[]; guestKeys: string[] },
): Promise<void> {
  await db
    .updateTable('watchRoomMembers')
    .set({ isHere: 1, seenAt: timeIn(0) })
    .where('roomId', '=', roomId)
    .where((eb) =>
      eb.or([eb('userId', 'in', listOf(userIds)), eb('guestKey', 'in', listOfTexts(guestKeys))]),
    )
    .execute()
}

/** @returns how many stayed away without a word, and left now */
export async function updateGone(db: Database, roomId: number): Promise<number> {
  const rows = await db
    .updateTable('watchRoomMembers')
    .set({ isHere: 0 })
    .where('roomId', '=', roomId)
    .where('isHere', '=', 1)
    .where('seenAt', '<', timeIn(-GONE_AFTER_MS))
    .returning('id')
    .execute()
  return rows.length
}

/** Their closing page is the last word. Rows of guests go. */
export async function updateLeft(
  db: Database,
  { roomId, ...presence }: Presence & { roomId: number },
): Promise<void> {
  if ('guestKey' in presence) {
    await db
      .deleteFrom('watchRoomMembers')
      .where('roomId', '=', roomId)
      .where('guestKey', '=', presence.guestKey)
      .execute()
    return
  }
  await db
    .updateTable('watchRoomMembers')
    .set({ isHere: 0, seenAt: timeIn(0) })
    .where('roomId', '=', roomId)
    .where('userId', '=', presence.userId)
    .execute()
}

export async function updateRole(
  db: Database,
  { roomId, userId, role }: Membership & { role: RoomRole },
): Promise<void> {
  await db
    .updateTable('watchRoomMembers')
    .set({ role })
    .where('roomId', '=', roomId)
    .where('userId', '=', userId)
    .execute()
}

/** Those that were the host can still steer. */
export async function updateHost(
  db: DatabaseTransaction,
  { roomId, userId }: Membership,
): Promise<void> {
  await db
    .updateTable('watchRoomMembers')
    .set({ role: 'steers' })
    .where('roomId', '=', roomId)
    .where('role', '=', 'host')
    .execute()
  await updateRole(db, { roomId, userId, role: 'host' })
}

/** A host who was in the room a minute ago, and is not banned. */
export async function hasHost(db: Database, roomId: number): Promise<boolean> {
  const row = await db
    .selectFrom('watchRoomMembers')
    .innerJoin('users', 'users.id', 'watchRoomMembers.userId')
    .select('watchRoomMembers.id')
    .where('watchRoomMembers.roomId', '=', roomId)
    .where('watchRoomMembers.role', '=', 'host')
    .where('watchRoomMembers.seenAt', '>=', timeIn(-HOST_KEPT_MS))
    .where('users.bannedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
