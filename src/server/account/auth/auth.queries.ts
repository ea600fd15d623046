import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { timestamp, writeQuietly } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'

export async function findCredentials(db: Database, username: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'password', 'isAdmin', 'bannedAt', 'banReason'])
    .where('username', '=', username)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}

/** `leftServerOf` names the Discord provider that created the account, if the member has left its server. */
export async function findAccount(db: Database, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'password', 'isAdmin', 'bannedAt', 'banReason', 'deletesAt'])
    .select((eb) =>
      eb
        .selectFrom('identities')
        .innerJoin('identityProviders', 'identityProviders.id', 'identities.providerId')
        .select('identityProviders.name')
        .whereRef('identities.userId', '=', 'users.id')
        .where('identities.madeAccount', '=', 1)
        .where('identities.leftAt', 'is not', null)
        .where('identityProviders.guildId', 'is not', null)
        .where('identityProviders.isActive', '=', 1)
        .limit(1)
        .as('leftServerOf'),
    )
    .where('id', '=', id)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}

/** Returns false if the account no longer exists or is being deleted. */
export async function updateKept(db: Database, id: number): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ deletesAt: null })
    .where('id', '=', id)
    .where('deletion', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
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

/**
 * Gives the session a new id, which is the digest of its new token.
 * @returns false if the session has ended in the meantime
 */
export async function replaceConfirmedSession(
  db: Database,
  { id, newId }: { id: string; newId: string },
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ id: newId, confirmedAt: timestamp() })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

const VERY_MANY = 10_000

/** Keeps the session `keep` and the most recently used ones, `max` in all, and ends the others. */
export async function deleteOldestSessions(
  db: Database,
  input: { userId: number; keep: string; max: number },
): Promise<number> {
  const { userId, keep, max } = input
  const result = await writeQuietly(db, (transaction) =>
    transaction
      .deleteFrom('sessions')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('sessions')
          .select('id')
          .where('userId', '=', userId)
          .where('id', '<>', keep)
          .orderBy((order) => order.fn.coalesce('lastUsedAt', 'createdAt'), 'desc')
          .orderBy('id')
          .limit(VERY_MANY)
          .offset(max - 1),
      )
      .executeTakeFirst(),
  )
  return Number(result.numDeletedRows)
}

/** Ends the sessions whose id begins with `prefix`, or all except `except`. */
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
