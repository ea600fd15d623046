import { type SqlBool, sql, type UpdateObject } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { containsText, listOf } from '#server/platform/db/expressions.ts'
import { decodeSortCursor, toSortedPage } from '#server/platform/db/paging.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isPublishedVideo } from '#server/video/video/video.access.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { CreateSquad, Squad, SquadMark } from '#shared/schemas/squad.schemas.ts'
import type { SquadRole } from '#shared/squads.ts'
import { isVisibleSquad } from './squad.access.ts'

type Asking = { viewer: Viewer }

function selectSquads(db: Database, { viewer }: Asking) {
  return db
    .selectFrom('squads')
    .leftJoin('squadMembers as mine', (join) =>
      join.onRef('mine.squadId', '=', 'squads.id').on('mine.userId', '=', viewer.id),
    )
    .select(['squads.id', 'squads.name', 'squads.tag', 'squads.colour', 'squads.emblem'])
    .select(['squads.description', 'squads.joining', 'squads.memberCount', 'squads.createdAt'])
    .select('mine.role as myRole')
    .select([
      sql<Flag>`EXISTS (
        SELECT 1 FROM "squadInvites"
        WHERE "squadInvites"."squadId" = "squads"."id" AND "squadInvites"."userId" = ${viewer.id}
      )`.as('isInvited'),
      sql<Flag>`EXISTS (
        SELECT 1 FROM "squadRequests"
        WHERE "squadRequests"."squadId" = "squads"."id" AND "squadRequests"."userId" = ${viewer.id}
      )`.as('hasAsked'),
      sql<Flag>`EXISTS (
        SELECT 1 FROM "squadRemovals"
        WHERE "squadRemovals"."squadId" = "squads"."id" AND "squadRemovals"."userId" = ${viewer.id}
      )`.as('wasRemoved'),
      sql<number>`CASE WHEN "mine"."role" IN ('owner', 'officer') THEN (
        SELECT count(*) FROM "squadRequests" JOIN "users" ON "users"."id" = "squadRequests"."userId"
        WHERE "squadRequests"."squadId" = "squads"."id" AND "users"."bannedAt" IS NULL
      ) ELSE 0 END`.as('requestCount'),
      sql<Flag>`("mine"."userId" IS NOT NULL AND (EXISTS (
        SELECT 1 FROM "posts"
        WHERE "posts"."squadId" = "squads"."id" AND "posts"."channelId" <> ${viewer.id}
          AND "posts"."createdAt" > coalesce("mine"."openedAt", "mine"."joinedAt")
          AND "posts"."withheld" IS NULL
      ) OR EXISTS (
        SELECT 1 FROM "videos"
        WHERE "videos"."squadId" = "squads"."id" AND "videos"."userId" <> ${viewer.id}
          AND "videos"."publishedAt" > coalesce("mine"."openedAt", "mine"."joinedAt")
          AND "videos"."visibility" = 'private' AND ${isPublishedVideo}
      )))`.as('hasNews'),
    ])
    .where(isVisibleSquad(viewer))
}

type SquadSelection = Awaited<ReturnType<ReturnType<typeof selectSquads>['execute']>>[number]

function toSquad({ isInvited, hasAsked, wasRemoved, hasNews, ...row }: SquadSelection): Squad {
  return {
    ...row,
    isInvited: isInvited === 1,
    hasAsked: hasAsked === 1,
    wasRemoved: wasRemoved === 1,
    hasNews: hasNews === 1,
  }
}

export async function findSquad(
  db: Database,
  { id, viewer }: Asking & { id: number },
): Promise<Squad | undefined> {
  const row = await selectSquads(db, { viewer }).where('squads.id', '=', id).executeTakeFirst()
  return row && toSquad(row)
}

export async function listOwnSquads(db: Database, viewer: Viewer): Promise<Squad[]> {
  const rows = await selectSquads(db, { viewer })
    .where('mine.userId', 'is not', null)
    .orderBy('mine.joinedAt')
    .orderBy('squads.id')
    .execute()
  return rows.map(toSquad)
}

export async function listSquadsInvitedTo(db: Database, viewer: Viewer): Promise<Squad[]> {
  const rows = await selectSquads(db, { viewer })
    .innerJoin('squadInvites', (join) =>
      join
        .onRef('squadInvites.squadId', '=', 'squads.id')
        .on('squadInvites.userId', '=', viewer.id),
    )
    .orderBy('squadInvites.createdAt', 'desc')
    .orderBy('squads.id')
    .execute()
  return rows.map(toSquad)
}

/**
 * Returns squads that the viewer can join or ask to join, largest first. Leaves out squads whose only member is
 * banned.
 */
export async function listOtherSquads(
  db: Database,
  { viewer, limit, cursor }: PageInput & Asking,
): Promise<Page<Squad>> {
  let query = selectSquads(db, { viewer })
    .where('mine.userId', 'is', null)
    .where('squads.joining', '<>', 'invite')
    .where('squads.memberCount', '>', 0)
    .where(
      sql<SqlBool>`("squads"."joining" <> 'open' OR NOT EXISTS (
        SELECT 1 FROM "squadRemovals"
        WHERE "squadRemovals"."squadId" = "squads"."id" AND "squadRemovals"."userId" = ${viewer.id}
      ))`,
    )
    .orderBy('squads.memberCount', 'desc')
    .orderBy('squads.id', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const last = decodeSortCursor(cursor, 'size')
    query = query.where(
      sql<SqlBool>`("squads"."memberCount", "squads"."id") < (${last.key}, ${last.id})`,
    )
  }
  return toSortedPage(await query.execute(), limit, {
    position: ({ memberCount, id }) => ({ sort: 'size', key: memberCount, id }),
    item: toSquad,
  })
}

const WORDS_MAX = 5

/** Returns squads whose name or tag contains each of the words: the viewer's own first, then the largest. */
export async function listSquadsNamed(
  db: Database,
  { words, limit, viewer }: Asking & { words: string[]; limit: number },
): Promise<Squad[]> {
  if (words.length === 0) return []
  let query = selectSquads(db, { viewer }).where('squads.memberCount', '>', 0)
  for (const word of words.slice(0, WORDS_MAX)) {
    query = query.where(containsText(['squads.name', 'squads.tag'], word))
  }
  const rows = await query
    .orderBy(sql`CASE WHEN "mine"."userId" IS NULL THEN 1 ELSE 0 END`)
    .orderBy('squads.memberCount', 'desc')
    .orderBy('squads.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toSquad)
}

/** Returns the squads that are shown on a member's channel. */
export async function listSquadsOf(
  db: Database,
  { userId, viewer }: Asking & { userId: number },
): Promise<SquadMark[]> {
  return db
    .selectFrom('squadMembers')
    .innerJoin('squads', 'squads.id', 'squadMembers.squadId')
    .select(['squads.id', 'squads.name', 'squads.tag', 'squads.colour', 'squads.emblem'])
    .where('squadMembers.userId', '=', userId)
    .where(isVisibleSquad(viewer))
    .orderBy('squadMembers.joinedAt')
    .orderBy('squads.id')
    .execute()
}

export async function findTagOwner(db: Database, foldedTag: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('squads')
    .select('id')
    .where('foldedTag', '=', foldedTag)
    .executeTakeFirst()
  return row?.id
}

export async function insertSquad(
  db: DatabaseTransaction,
  squad: CreateSquad & { ownerId: number },
): Promise<number> {
  const { ownerId, ...fields } = squad
  const createdAt = timestamp()
  const { id } = await db
    .insertInto('squads')
    .values({ ...fields, foldedTag: squad.tag.toLowerCase(), memberCount: 1, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('squadMembers')
    .values({ squadId: id, userId: ownerId, role: 'owner', joinedAt: createdAt })
    .execute()
  return id
}

export async function updateSquad(
  db: DatabaseTransaction,
  { id, change }: { id: number; change: UpdateObject<Schema, 'squads'> },
): Promise<void> {
  await db.updateTable('squads').set(change).where('id', '=', id).execute()
}

export async function countSquadsOf(
  db: Database,
  userId: number,
): Promise<{ joined: number; owned: number }> {
  const rows = await db
    .selectFrom('squadMembers')
    .select('role')
    .where('userId', '=', userId)
    .execute()
  return { joined: rows.length, owned: rows.filter(({ role }) => role === 'owner').length }
}

export async function listSquadIdsOf(db: Database, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('squadMembers')
    .select('squadId')
    .where('userId', '=', userId)
    .orderBy('squadId')
    .execute()
  return rows.map(({ squadId }) => squadId)
}

export async function updateMemberCount(
  db: DatabaseTransaction,
  { squadId, memberCount }: { squadId: number; memberCount: number },
): Promise<void> {
  await db.updateTable('squads').set({ memberCount }).where('id', '=', squadId).execute()
}

/** Squads that are kept for a member who was banned before `since`. */
function selectKeptSince(db: Database, since: Date) {
  return db
    .selectFrom('squads')
    .innerJoin('squadMembers', 'squadMembers.squadId', 'squads.id')
    .innerJoin('users', 'users.id', 'squadMembers.userId')
    .select(['squads.id as squadId', 'users.id as userId'])
    .where('squads.memberCount', '=', 0)
    .where('squads.deletedAt', 'is', null)
    .where('users.bannedAt', '<', timestamp(since))
}

export function listSquadsKeptSince(db: Database, since: Date) {
  return selectKeptSince(db, since).execute()
}

export async function isKeptSince(
  db: DatabaseTransaction,
  { squadId, since }: { squadId: number; since: Date },
): Promise<boolean> {
  const row = await selectKeptSince(db, since).where('squads.id', '=', squadId).executeTakeFirst()
  return row !== undefined
}

/**
 * Returns squads without an owner, which exist, for example, after an account was deleted by hand.
 */
export async function listSquadsWithoutOwner(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('squads')
    .select('squads.id')
    .where('squads.deletedAt', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('squadMembers')
            .select('squadMembers.userId')
            .whereRef('squadMembers.squadId', '=', 'squads.id')
            .where('squadMembers.role', '=', sql.lit<SquadRole>('owner')),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Makes the tag available at once. Videos and notifications still refer to the squad; see
 * `clearSquad`.
 */
export async function markSquadAsDeleted(db: DatabaseTransaction, id: number): Promise<void> {
  for (const table of ['squadMembers', 'squadRequests', 'squadInvites', 'squadRemovals'] as const) {
    await db.deleteFrom(table).where('squadId', '=', id).execute()
  }
  await db
    .updateTable('squads')
    .set({ deletedAt: timestamp(), memberCount: 0, foldedTag: `${id} deleted` })
    .where('id', '=', id)
    .execute()
}

/**
 * Removes up to `most` references of each kind to a deleted squad.
 * @returns how many rows were changed
 */
export async function clearSomeOfSquad(
  db: DatabaseTransaction,
  { squadId, most }: { squadId: number; most: number },
): Promise<number> {
  const found = await db
    .selectFrom('videos')
    .select('id')
    .where('squadId', '=', squadId)
    .limit(most)
    .execute()
  const ids = listOf(found.map(({ id }) => id))
  // Without this, members named before the video was given to the squad would see it again.
  await db.deleteFrom('videoMembers').where('videoId', 'in', ids).execute()
  await db.updateTable('videos').set({ squadId: null }).where('id', 'in', ids).execute()
  const notifications = await sql`
    DELETE FROM "notifications" WHERE "id" IN (
      SELECT "id" FROM "notifications" WHERE "squadId" = ${squadId} LIMIT ${most}
    )`.execute(db)
  return found.length + Number(notifications.numAffectedRows ?? 0n)
}

/** Keeps squads that posts refer to. Only the authors and admins still see these posts. */
export async function deleteClearedSquads(db: Database): Promise<void> {
  await db
    .deleteFrom('squads')
    .where('deletedAt', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('posts').select('posts.id').whereRef('posts.squadId', '=', 'squads.id'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('videos').select('videos.id').whereRef('videos.squadId', '=', 'squads.id'),
        ),
      ),
    )
    .execute()
}

export async function findSquadToJoin(db: Database, id: number) {
  return db
    .selectFrom('squads')
    .select(['id', 'memberCount'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}
