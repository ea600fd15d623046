import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSquadToJoin } from './squad.queries.ts'
import { takeOut } from './squad.service.ts'
import { takeIn } from './squad-joining.service.ts'
import { findRole } from './squad-members.queries.ts'

type Act = { db: DatabaseTransaction; squadId: number; userId: number }

/**
 * Makes somebody a member because of a role at a provider.
 * @returns the members to notify live, or null if the person is a member already, or the squad is full or gone
 */
export async function joinByRole({ db, squadId, userId }: Act): Promise<number[] | null> {
  const squad = await findSquadToJoin(db, squadId)
  if (!squad || (await findRole(db, { squadId, userId })) !== undefined) return null
  try {
    return [userId, ...(await takeIn(db, { squad, userId }))]
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/**
 * Ends a membership that a role gave. The owner stays.
 * @returns the members to notify live
 */
export async function leaveByRole({ db, squadId, userId }: Act): Promise<number[]> {
  const role = await findRole(db, { squadId, userId })
  if (role === undefined || role === 'owner') return []
  return [userId, ...(await takeOut(db, { squadId, userId }))]
}
