import type { User } from '#shared/user.schemas.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Viewer } from '../viewer.ts'
import { findUser } from './user.queries.ts'

/** @throws AppError `not-found` */
export async function requireUser(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<User> {
  const user = await findUser(db, input)
  if (!user) throw new AppError('not-found', 'There is no such channel.')
  return user
}
