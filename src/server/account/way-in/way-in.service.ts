import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { listPasskeys } from '../passkey/passkey.queries.ts'
import { passkeyHost } from '../passkey/passkey.service.ts'
import { findFactorOwner } from '../second-factor/second-factor.queries.ts'
import { readSignInWays } from '../sign-in-settings/sign-in-settings.service.ts'
import { listLinkedProviders } from './way-in.queries.ts'

type Member = Pick<Viewer, 'id' | 'isAdmin'>

/** Whether a password, if there is one, signs the member in. */
export async function takesPassword(
  db: Database,
  { isAdmin }: Pick<Member, 'isAdmin'>,
): Promise<boolean> {
  return isAdmin || (await readSignInWays(db)).passwordsFor === 'everybody'
}

/** @param except a provider to leave out */
export async function hasWayIn(
  db: Database,
  { member, passkeysWork, except }: { member: Member; passkeysWork: boolean; except?: number },
): Promise<boolean> {
  const { hasPassword } = await findFactorOwner(db, member.id)
  if (hasPassword === 1 && (await takesPassword(db, member))) return true
  const linked = await listLinkedProviders(db, member.id)
  if (linked.some((id) => id !== except)) return true
  return passkeysWork && (await listPasskeys(db, member.id)).length > 0
}

/**
 * Call within the transaction that took away a way to sign in.
 * @throws `conflict` if it was the only one
 */
export async function requireWayIn(
  db: Database,
  { member, origin }: { member: Member; origin: string },
): Promise<void> {
  const passkeysWork = passkeyHost(origin) !== undefined
  if (await hasWayIn(db, { member, passkeysWork })) return
  throw new AppError(
    'conflict',
    (await takesPassword(db, member))
      ? 'This is your only way to sign in. Set a password first.'
      : 'This is your only way to sign in. Link another account first.',
  )
}
