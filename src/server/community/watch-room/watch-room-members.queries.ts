import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf, listOfTexts, timeIn } from '#server/platform/db/expressions.ts'
import type { Presence } from '#server/platform/events/room-feed.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'
import type { RoomPerson } from '#shared/schemas/watch-room.schemas.ts'
import type { RoomRole } from '#shared/watch-rooms.ts'

type Membership = { roomId: number; userId: number }

/** Each node reports its people every 20 s. A person who was not reported for this long has left. */
const GONE_AFTER_MS = 50_000
/** A host may reload the page, or lose the connection for a while. */
const HOST_KEPT_MS = 60_000

const isPresent = sql<boolean>`("watchRoomMembers"."isHere" = 1
  AND "watchRoomMembers"."removedAt" IS NULL
  AND "watchRoomMembers"."seenAt" >= ${timeIn(-GONE_AFTER_MS)})`

/** Sorts the host first, then those who may steer. */
const byRank = sql`CASE "watchRoomMembers"."role" WHEN 'host' THEN 0 WHEN 'steers' THEN 1 ELSE 2 END`

export async function findMembership(
  db: Database,
  { roomId, userId }: Membership,
): Promise<{ role: RoomRole; isRemoved: boolean; isAdmin: boolean } | undefined> {
  const row = await db
    .selectFrom('watchRoomMembers')
    .innerJoin('users', 'users.id', 'watchRoomMembers.userId')
    .select(['watchRoomMembers.role', 'watchRoomMembers.removedAt', 'users.isAdmin'])
    .where('watchRoomMembers.roomId', '=', roomId)
    .where('watchRoomMembers.userId', '=', userId)
    .executeTakeFirst()
  return row && { role: row.role, isRemoved: row.removedAt !== null, isAdmin: row.isAdmin === 1 }
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

/** Lists whom the host has removed, the last one first. */
export async function listRemoved(db: Database, roomId: number): Promise<NamedMember[]> {
  return db
    .selectFrom('watchRoomMembers')
    .innerJoin('users', 'users.id', 'watchRoomMembers.userId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .where('watchRoomMembers.roomId', '=', roomId)
    .where('watchRoomMembers.removedAt', 'is not', null)
    .orderBy('watchRoomMembers.removedAt', 'desc')
    .orderBy('watchRoomMembers.id')
    .execute()
}

/** A member who is let back in watches. */
export async function updateRemoved(
  db: Database,
  { roomId, userId, isRemoved }: Membership & { isRemoved: boolean },
): Promise<void> {
  await db
    .updateTable('watchRoomMembers')
    .set({ removedAt: isRemoved ? timeIn(0) : null, role: 'watches' })
    .where('roomId', '=', roomId)
    .where('userId', '=', userId)
    .execute()
}

const countPresent = (db: Database, roomId: number) =>
  db
    .selectFrom('watchRoomMembers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('roomId', '=', roomId)
    .where(isPresent)

export async function countGuests(db: Database, roomId: number): Promise<number> {
  const query = countPresent(db, roomId).where('guestKey', 'is not', null)
  return (await query.executeTakeFirstOrThrow()).count
}

/** Counts the people in the room without the given one, who may come back to a full room. */
export async function countOthers(
  db: Database,
  { roomId, ...presence }: Presence & { roomId: number },
): Promise<number> {
  const query = countPresent(db, roomId).where((eb) =>
    'userId' in presence
      ? eb.or([eb('userId', 'is', null), eb('userId', '!=', presence.userId)])
      : eb.or([eb('guestKey', 'is', null), eb('guestKey', '!=', presence.guestKey)]),
  )
  return (await query.executeTakeFirstOrThrow()).count
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

/**
 * Marks people as gone whom no node has reported.
 * @returns their number
 */
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

/** Marks a member as gone, and deletes the row of a guest. */
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

/** Makes a member the host. The previous host can still steer. */
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

/** Returns true if a host who is not banned was in the room within the last minute. */
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
