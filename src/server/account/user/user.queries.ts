import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { UsersTable } from '#server/platform/db/tables/account.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { isOpenSite } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'

const PUBLIC_COLUMNS = [
  'users.id',
  'users.username',
  'users.displayName',
  'users.avatarUrl',
  'users.bannerUrl',
  'users.bio',
  'users.subscriberCount',
  'users.isAdmin',
  'users.createdAt',
] as const

type PublicUserRow = Pick<
  Selectable<UsersTable>,
  | 'id'
  | 'username'
  | 'displayName'
  | 'avatarUrl'
  | 'bannerUrl'
  | 'bio'
  | 'subscriberCount'
  | 'isAdmin'
  | 'createdAt'
>

export function isSubscribedTo(viewer: Viewer | undefined): RawBuilder<Flag | null> {
  if (!viewer) return sql`NULL`
  return sql`EXISTS (
    SELECT 1 FROM "subscriptions"
    WHERE "subscriptions"."subscriberId" = ${viewer.id} AND "subscriptions"."channelId" = "users"."id"
  )`
}

/** Neither banned nor being deleted. */
export const isShownUser = sql<SqlBool>`("users"."bannedAt" IS NULL AND "users"."deletion" IS NULL)`

/** Only admins see banned members. */
function isVisibleUser(viewer: Viewer | undefined): RawBuilder<SqlBool> {
  if (!viewer) return sql`("users"."bannedAt" IS NULL AND ${isOpenSite})`
  return viewer?.isAdmin ? sql`TRUE` : sql`("users"."bannedAt" IS NULL)`
}

/** Email only if its owner shows it. */
export async function findUser(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...PUBLIC_COLUMNS, 'users.email', 'users.showEmail'])
    .select(isSubscribedTo(input.viewer).as('isSubscribed'))
    .where('users.id', '=', input.id)
    .where(isVisibleUser(input.viewer))
    .executeTakeFirst()
  if (!row) return undefined
  return {
    ...toUser(row),
    ...(row.showEmail === 1 && { email: row.email }),
    ...(row.isSubscribed !== null && { isSubscribed: row.isSubscribed === 1 }),
  }
}

export async function findOwnUser(db: Database, id: number) {
  const row = await db
    .selectFrom('users')
    .select([...PUBLIC_COLUMNS, 'users.email', 'users.showEmail', 'users.defaultVisibility'])
    .select('users.showsPresence')
    .where('users.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { email, showEmail, defaultVisibility, showsPresence } = row
  return {
    ...toUser(row),
    ...{ email, showEmail: showEmail === 1, defaultVisibility },
    showsPresence: showsPresence === 1,
  }
}

export async function findStanding(db: Database, id: number) {
  return db
    .selectFrom('users')
    .select(['isAdmin', 'bannedAt', 'defaultVisibility', 'isTrustedUploader'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Ignores case. */
export async function listUsersByName(db: Database, usernames: string[]) {
  if (usernames.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', usernames)
    .where('bannedAt', 'is', null)
    .execute()
}

/** Ignores case, and includes banned members. */
export async function isUsername(db: Database, username: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst()
  return row !== undefined
}

export async function listUsersById(db: Database, ids: number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'avatarUrl'])
    .where('id', 'in', listOf(ids))
    .where('bannedAt', 'is', null)
    .orderBy('username')
    .execute()
}

/** Excludes accounts that are scheduled for deletion. */
export async function countOtherAdmins(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('isAdmin', '=', sql.lit(1))
    .where('id', '<>', userId)
    .where('deletesAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function isChannelPicture(db: Database, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.or([eb('avatarUrl', '=', address), eb('bannerUrl', '=', address)]))
    .where('bannedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export function toUser(row: PublicUserRow): User {
  return {
    id: row.id,
    username: row.username,
    displayName: row.displayName,
    avatarUrl: row.avatarUrl,
    bannerUrl: row.bannerUrl,
    bio: row.bio,
    subscriberCount: row.subscriberCount,
    isAdmin: row.isAdmin === 1,
    createdAt: row.createdAt,
  }
}

export type ProfileChange = {
  displayName?: string
  bio?: string | null
  email?: string
  showEmail?: Flag
  showsPresence?: Flag
  defaultVisibility?: Visibility | null
  avatarUrl?: string | null
  avatarBytes?: number
  bannerUrl?: string | null
  bannerBytes?: number
  password?: string
  isAdmin?: Flag
  isTrustedUploader?: Flag
}

export async function updateUser(
  db: Database,
  input: { id: number; change: ProfileChange },
): Promise<void> {
  if (Object.keys(input.change).length === 0) return
  await db.updateTable('users').set(input.change).where('id', '=', input.id).execute()
}
