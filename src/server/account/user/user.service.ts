import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
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
