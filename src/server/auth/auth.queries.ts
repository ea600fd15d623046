import type { Database } from '../db/database.ts'
import type { Flag } from '../db/tables/column.ts'

export async function findCredentials(db: Database, username: string) {
  return db
    .selectFrom('users')
    .select(['id', 'password', 'bannedAt', 'banReason'])
    .where('username', '=', username)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}

export async function countUsers(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export type NewUser = {
  username: string
  email: string
  displayName: string
  password: string
  isAdmin: Flag
  createdAt: string
}

/** @throws a unique violation when the username or email is taken, whatever its case. */
export async function insertUser(db: Database, user: NewUser): Promise<number> {
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}
