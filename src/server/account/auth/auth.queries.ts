import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'

export async function findCredentials(db: Database, username: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'password', 'bannedAt', 'banReason'])
    .where('username', '=', username)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}

export async function findAccount(db: Database, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'password', 'bannedAt', 'banReason'])
    .where('id', '=', id)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}

export async function hasAdmin(db: Database): Promise<boolean> {
  const admin = await db
    .selectFrom('users')
    .select('id')
    .where('isAdmin', '=', sql.lit(1))
    .limit(1)
    .executeTakeFirst()
  return admin !== undefined
}

export async function findSetupCodeHash(db: Database): Promise<string | null> {
  const { setupCodeHash } = await db
    .selectFrom('siteSettings')
    .select('setupCodeHash')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return setupCodeHash
}

export async function updateSetupCodeHash(db: Database, hash: string | null): Promise<void> {
  await db
    .updateTable('siteSettings')
    .set({ setupCodeHash: hash })
    .where('setupCodeHash', 'is distinct from', hash)
    .execute()
}

/** `@name` in a text could mean either. */
export async function isSquadTag(db: Database, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('squads')
    .select('id')
    .where('foldedTag', '=', name.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

type NewUser = {
  username: string
  email: string
  displayName: string
  password: string
  isAdmin: Flag
  createdAt: string
}

/** @throws a unique violation for a used username or email, in any case */
export async function insertUser(db: Database, user: NewUser): Promise<number> {
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Those whose id begins with `prefix`, or all but `except`. */
export async function deleteSessions(
  db: Database,
  input: { userId: number; prefix?: string; except?: string },
): Promise<number> {
  let query = db.deleteFrom('sessions').where('userId', '=', input.userId)
  if (input.prefix !== undefined) query = query.where('id', 'like', `${input.prefix}%`)
  if (input.except !== undefined) query = query.where('id', '<>', input.except)
  const result = await query.executeTakeFirst()
  return Number(result.numDeletedRows)
}
