import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { SquadCandidate, SquadMember } from '#shared/schemas/squad.schemas.ts'
import type { SquadRole } from '#shared/squads.ts'

type Membership = { squadId: number; userId: number }
type Waiting = 'squadRequests' | 'squadInvites'

/** Sorts the owner first, then officers, then members. */
const byRank = sql`CASE "squadMembers"."role" WHEN 'owner' THEN 0 WHEN 'officer' THEN 1 ELSE 2 END`

const LATELY_MS = 86_400_000

/** Returns at most `SQUAD_MEMBERS_MAX` members. */
export async function listSquadMembers(
  db: Database,
  { squadId, viewer }: { squadId: number; viewer: Viewer },
): Promise<SquadMember[]> {
  const since = timestamp(new Date(Date.now() - LATELY_MS))
  const rows = await db
    .selectFrom('squadMembers')
    .innerJoin('users', 'users.id', 'squadMembers.userId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .select(['squadMembers.role', 'squadMembers.joinedAt'])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('visits')
            .select('visits.userId')
            .whereRef('visits.userId', '=', 'users.id')
            .where('visits.seenAt', '>=', since)
            .where('users.showsPresence', '=', 1),
        )
        .$castTo<boolean | Flag>()
        .as('wasHere'),
      'users.showsPresence',
    ])
    .where('squadMembers.squadId', '=', squadId)
    .where('users.bannedAt', 'is', null)
    .orderBy(byRank)
    .orderBy('squadMembers.joinedAt')
    .orderBy('users.id')
    .execute()
  const sees = rows.some(({ id, showsPresence }) => id === viewer.id && showsPresence === 1)
  return rows.map(({ wasHere, showsPresence: _, ...row }) => ({
    ...row,
    wasHereLately: sees && Boolean(wasHere),
  }))
}

export async function listLeaders(db: Database, squadId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('squadMembers')
    .select('userId')
    .where('squadId', '=', squadId)
    .where('role', 'in', ['owner', 'officer'])
    .orderBy('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function listMemberIds(db: Database, squadId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('squadMembers')
    .select('userId')
    .where('squadId', '=', squadId)
    .orderBy('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function updateOpened(db: Database, { squadId, userId }: Membership): Promise<void> {
  await db
    .updateTable('squadMembers')
    .set({ openedAt: timestamp() })
    .where('squadId', '=', squadId)
    .where('userId', '=', userId)
    .execute()
}

export async function findRole(
  db: Database,
  { squadId, userId }: Membership,
): Promise<SquadRole | undefined> {
  const row = await db
    .selectFrom('squadMembers')
    .select('role')
    .where('squadId', '=', squadId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** Returns the member with the highest role who has been in the squad longest. */
export async function findHeir(db: Database, squadId: number) {
  return db
    .selectFrom('squadMembers')
    .innerJoin('squads', 'squads.id', 'squadMembers.squadId')
    .select(['squadMembers.userId', 'squadMembers.role', 'squads.name as squadName'])
    .where('squadMembers.squadId', '=', squadId)
    .orderBy(byRank)
    .orderBy('squadMembers.joinedAt')
    .orderBy('squadMembers.userId')
    .limit(1)
    .executeTakeFirst()
}

export async function insertSquadMember(
  db: DatabaseTransaction,
  membership: Membership,
): Promise<void> {
  await db
    .insertInto('squadMembers')
    .values({ ...membership, role: 'member', joinedAt: timestamp() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await recount(db, membership.squadId)
}

export async function deleteSquadMember(
  db: DatabaseTransaction,
  { squadId, userId }: Membership,
): Promise<void> {
  await db
    .deleteFrom('squadMembers')
    .where('squadId', '=', squadId)
    .where('userId', '=', userId)
    .execute()
  await recount(db, squadId)
}

export async function insertRemoval(
  db: DatabaseTransaction,
  membership: Membership,
): Promise<void> {
  await db
    .insertInto('squadRemovals')
    .values({ ...membership, removedAt: timestamp() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteRemoval(
  db: DatabaseTransaction,
  { squadId, userId }: Membership,
): Promise<void> {
  await db
    .deleteFrom('squadRemovals')
    .where('squadId', '=', squadId)
    .where('userId', '=', userId)
    .execute()
}

export async function updateRole(
  db: DatabaseTransaction,
  { squadId, userId, role }: Membership & { role: SquadRole },
): Promise<void> {
  await db
    .updateTable('squadMembers')
    .set({ role })
    .where('squadId', '=', squadId)
    .where('userId', '=', userId)
    .execute()
}

export async function countMembersOf(db: Database, squadId: number): Promise<number> {
  const { count } = await db
    .selectFrom('squadMembers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('squadId', '=', squadId)
    .executeTakeFirstOrThrow()
  return count
}

async function recount(db: DatabaseTransaction, squadId: number): Promise<void> {
  await db
    .updateTable('squads')
    .set((eb) => ({
      memberCount: eb
        .selectFrom('squadMembers')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('squadMembers.squadId', '=', squadId),
    }))
    .where('id', '=', squadId)
    .execute()
}

/** Returns the newest first. */
export async function listCandidates(
  db: Database,
  { table, squadId }: { table: Waiting; squadId: number },
): Promise<SquadCandidate[]> {
  return db
    .selectFrom(table)
    .innerJoin('users', 'users.id', `${table}.userId`)
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .select(`${table}.createdAt`)
    .where(`${table}.squadId`, '=', squadId)
    .where('users.bannedAt', 'is', null)
    .orderBy(`${table}.createdAt`, 'desc')
    .orderBy('users.id')
    .execute()
}

export async function countCandidates(
  db: Database,
  { table, ...of }: { table: Waiting } & ({ squadId: number } | { userId: number }),
): Promise<number> {
  const [column, value] =
    'squadId' in of ? (['squadId', of.squadId] as const) : (['userId', of.userId] as const)
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(column, '=', value)
    .executeTakeFirstOrThrow()
  return count
}

/** @returns the ids that were not there before */
export async function insertCandidates(
  db: DatabaseTransaction,
  { table, squadId, userIds }: { table: Waiting; squadId: number; userIds: number[] },
): Promise<number[]> {
  if (userIds.length === 0) return []
  const createdAt = timestamp()
  const rows = await db
    .insertInto(table)
    .values(userIds.map((userId) => ({ squadId, userId, createdAt })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function deleteCandidate(
  db: DatabaseTransaction,
  { table, squadId, userId }: Membership & { table: Waiting },
): Promise<boolean> {
  const result = await db
    .deleteFrom(table)
    .where('squadId', '=', squadId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deleteAllCandidates(
  db: DatabaseTransaction,
  { table, userId }: { table: Waiting; userId: number },
): Promise<void> {
  await db.deleteFrom(table).where('userId', '=', userId).execute()
}

export const listMembersAmong = (db: Database, among: Among) => listAmong(db, 'squadMembers', among)

export const listAskingAmong = (db: Database, among: Among) => listAmong(db, 'squadRequests', among)

type Among = { squadId: number; userIds: number[] }

async function listAmong(
  db: Database,
  table: 'squadMembers' | 'squadRequests',
  { squadId, userIds }: Among,
): Promise<number[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom(table)
    .select('userId')
    .where('squadId', '=', squadId)
    .where('userId', 'in', userIds)
    .execute()
  return rows.map(({ userId }) => userId)
}
