import { sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeSortCursor, toSortedPage } from '#server/platform/db/paging.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { BAN_REVERSIBLE_DAYS } from '#shared/admin-limits.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Member } from '#shared/schemas/desk/member.schemas.ts'

const DAY_MS = 86_400_000

type ListInput = PageInput & {
  q?: string | undefined
  show: 'all' | 'admins' | 'banned'
  sort: 'newest' | 'storage'
}

export async function listMembers(db: Database, input: ListInput) {
  const { show, sort, q, limit, cursor } = input
  let query = db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'avatarUrl', 'isAdmin', 'createdAt'])
    .select(['bannedAt', 'banReason', 'banDeletes', 'deletesAt', 'storageBytes', 'quotaBytes'])
    .select(
      sql<number>`(SELECT count(*) FROM "videos" WHERE "videos"."userId" = "users"."id")`.as(
        'videoCount',
      ),
    )
    .where('deletion', 'is', null)
    .limit(limit + 1)
  if (show === 'admins') query = query.where('isAdmin', '=', sql.lit(1))
  if (show === 'banned') query = query.where('bannedAt', 'is not', null)
  if (q) query = query.where(containsText(['username', 'displayName'], q))
  const key = sort === 'storage' ? 'storageBytes' : 'id'
  if (cursor) {
    const after = decodeSortCursor(cursor, sort)
    query = query.where((eb) => eb(eb.refTuple(key, 'id'), '<', eb.tuple(after.key, after.id)))
  }
  const rows = await query.orderBy(key, 'desc').orderBy('id', 'desc').execute()
  return toSortedPage(rows, limit, {
    position: (row) => ({ sort, key: row[key], id: row.id }),
    item: toMember,
  })
}

type Row = Omit<Member, 'isAdmin' | 'deletedAfter'> & { isAdmin: Flag; banDeletes: Flag }

function toMember({ banDeletes, ...row }: Row): Member {
  const { bannedAt } = row
  const deletedAfter =
    bannedAt !== null && banDeletes === 1
      ? timestamp(new Date(Date.parse(bannedAt) + BAN_REVERSIBLE_DAYS * DAY_MS))
      : null
  return { ...row, isAdmin: row.isAdmin === 1, deletedAfter }
}

export async function updateQuota(
  db: Database,
  input: { userId: number; quotaBytes: number | null },
): Promise<void> {
  const { userId, quotaBytes } = input
  await db.updateTable('users').set({ quotaBytes }).where('id', '=', userId).execute()
}

export async function insertPasswordReset(
  db: Database,
  reset: { tokenHash: string; userId: number; expiresAt: string; mailedTo?: string },
): Promise<void> {
  await db
    .insertInto('passwordResets')
    .values({ ...reset, createdAt: timestamp() })
    .execute()
}

export async function findPasswordReset(db: Database, tokenHash: string) {
  return db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'passwordResets.userId')
    .select(['users.id', 'users.username', 'users.email', 'users.displayName'])
    .select('passwordResets.mailedTo')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', timestamp())
    .where((eb) => eb.or([eb('mailedTo', 'is', null), eb('mailedTo', '=', eb.ref('users.email'))]))
    .where('users.bannedAt', 'is', null)
    .executeTakeFirst()
}

export async function deletePasswordResets(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('passwordResets').where('userId', '=', userId).execute()
}

/** Keeps links made by an admin: otherwise anybody could end them by requesting one by email. */
export async function deleteMailedResets(db: Database, userId: number): Promise<void> {
  await db
    .deleteFrom('passwordResets')
    .where('userId', '=', userId)
    .where('mailedTo', 'is not', null)
    .execute()
}

/** Returns whether a link from an admin is the only way for the member to sign in. */
export async function isLeftToLink(db: Database, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'passwordResets.userId')
    .select('users.id')
    .where('userId', '=', userId)
    .where('mailedTo', 'is', null)
    .where('expiresAt', '>', timestamp())
    .where('users.password', '=', '')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds a member by username or email address, without regard to case. */
export async function findMemberToReset(db: Database, name: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'isAdmin'])
    .where(name.includes('@') ? 'email' : 'username', '=', name)
    .where('bannedAt', 'is', null)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}

export async function findMember(db: Database, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'isAdmin', 'bannedAt', 'banReason', 'quotaBytes'])
    .where('id', '=', id)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}
