import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { listPasskeys } from '../passkey/passkey.queries.ts'
import { passkeyHost } from '../passkey/passkey.service.ts'
import { readSignInWays } from '../sign-in-settings/sign-in-settings.service.ts'
import { findMemberOfIdentity, listIdentities } from './provider.queries.ts'

type Member = Pick<Viewer, 'id' | 'isAdmin'>
type Ways = Awaited<ReturnType<typeof readSignInWays>>

const takesPassword = ({ passwordsFor }: Ways, { isAdmin }: Member) =>
  passwordsFor === 'everybody' || isAdmin

/** @param except a provider to leave out */
export async function hasWayIn(
  db: Database,
  { member, passkeysWork, except }: { member: Member; passkeysWork: boolean; except?: number },
): Promise<boolean> {
  const ways = await readSignInWays(db)
  const { password } = (await findMemberOfIdentity(db, member.id)) ?? {}
  if (takesPassword(ways, member) && password) return true
  const offered = ways.providers.filter(({ id }) => id !== except)
  const identities = await listIdentities(db, member.id)
  if (identities.some(({ providerId }) => offered.some(({ id }) => id === providerId))) return true
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
    takesPassword(await readSignInWays(db), member)
      ? 'This is your only way to sign in. Set a password first.'
      : 'This is your only way to sign in. Link another account first.',
  )
}
