import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { NAMED_MEMBERS_MAX } from '#shared/limits.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
import {
  type NamedMember,
  type SetNamedMembers,
  TOO_MANY_NAMED,
} from '#shared/schemas/visibility.schemas.ts'
import { findUser, listUsersByName } from './user.queries.ts'

export async function requireUser(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<User> {
  const user = await findUser(db, input)
  if (!user) throw new AppError('not-found', 'There is no such channel.')
  return user
}

/** @throws `invalid` for the own name and unknown names */
export async function requireOtherMembers(
  db: Database,
  input: { usernames: string[]; viewer: Viewer },
): Promise<number[]> {
  const { usernames, viewer } = input
  const users = await listUsersByName(db, usernames)
  if (users.some(({ id }) => id === viewer.id)) {
    throw new AppError('invalid', 'Name others: it is yours already.')
  }
  const known = new Set(users.map(({ username }) => username.toLowerCase()))
  const unknown = usernames.filter((name) => !known.has(name.toLowerCase()))
  if (unknown.length === 0) return users.map(({ id }) => id)
  const names = unknown.map((name) => `@${name}`).join(', ')
  throw new AppError('invalid', `There is nobody here with the name ${names}.`)
}

/**
 * Merges an edit of the list read as `was` with changes in `now`.
 * @throws `invalid` as `requireOtherMembers`, and for too many
 */
export async function requireNamedMembers(
  db: Database,
  edit: Omit<SetNamedMembers, 'id'> & { now: NamedMember[]; viewer: Viewer },
): Promise<number[]> {
  const { was, now } = edit
  const wish = await requireOtherMembers(db, edit)
  if (!was) return wish
  const read = (await listUsersByName(db, was)).map(({ id }) => id)
  const kept = now.map(({ id }) => id).filter((id) => wish.includes(id) || !read.includes(id))
  const userIds = [...new Set([...kept, ...wish.filter((id) => !read.includes(id))])]
  if (userIds.length > NAMED_MEMBERS_MAX) throw new AppError('invalid', TOO_MANY_NAMED)
  return userIds
}
