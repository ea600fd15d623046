import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { deleteApiTokens } from '../api-token/api-token.queries.ts'
import { deleteSessions } from '../auth/auth.queries.ts'
import { completeSignIn, writeLoginDown } from '../auth/auth.service.ts'
import { deleteStepsOf } from '../auth/sign-in-step.queries.ts'
import { hasWayIn } from '../way-in/way-in.service.ts'
import {
  findMemberOfIdentity,
  findProvider,
  type IdentityRow,
  type ProviderRow,
  updateIdentity,
} from './provider.queries.ts'
import type { ProviderAccount } from './provider-account.ts'
import { applyRoles } from './provider-roles.service.ts'
import type { Visit } from './provider-visit.ts'

type Log = { info: (details: object, message: string) => void }

export async function requireProvider(db: Database, id: number): Promise<ProviderRow> {
  const provider = await findProvider(db, id)
  if (!provider) throw new AppError('not-found', 'This way to sign in is no longer offered.')
  return provider
}

export function identityOf(input: {
  provider: ProviderRow
  account: ProviderAccount
  userId: number
  madeAccount: IdentityRow['madeAccount']
}) {
  const { provider, account, userId, madeAccount } = input
  const { subject, name, refreshToken } = account
  return { providerId: provider.id, subject, name, refreshToken, userId, madeAccount }
}

export async function noteUse(
  db: Database,
  { identity, account }: { identity: IdentityRow; account: ProviderAccount },
): Promise<void> {
  const now = timestamp()
  const { name, refreshToken } = account
  await updateIdentity(db, {
    id: identity.id,
    change: {
      name,
      lastUsedAt: now,
      checkedAt: now,
      leftAt: null,
      ...(refreshToken !== null && { refreshToken }),
    },
  })
}

export async function signInByProvider(
  ctx: Context,
  input: {
    provider: ProviderRow
    account: ProviderAccount
    visit: Pick<Visit, 'rememberMe'>
    userId: number
  },
): Promise<OwnUser> {
  const { provider, account, visit, userId } = input
  const user = await completeSignIn(ctx, {
    userId,
    rememberMe: visit.rememberMe,
    method: 'provider',
    provider: { id: provider.id, session: account.session },
  })
  ctx.log.info({ userId, address: ctx.address, provider: provider.id }, 'login by provider')
  const member = { id: userId, username: user.username }
  await writeLoginDown(ctx, { action: 'member.login', member })
  return user
}

/**
 * Ends all sessions of a member who is no longer in the server, and takes away what roles gave. The link is kept. If the
 * account was created with it, nothing else signs in to the account either, see `requireActiveAccount`. API tokens are
 * kept only if the member has another way to sign in.
 */
export async function signOutGone(
  ctx: Pick<Context, 'db' | 'live'> & { log: Log },
  { provider, identity }: { provider: ProviderRow; identity: IdentityRow },
): Promise<void> {
  const { userId, subject } = identity
  await applyRoles(ctx, { provider, subject, roles: [] })
  await inTransaction(ctx.db, async (db) => {
    await deleteSessions(db, { userId })
    await deleteStepsOf(db, userId)
    await updateIdentity(db, { id: identity.id, change: { leftAt: timestamp() } })
    const isAdmin = (await findMemberOfIdentity(db, userId))?.isAdmin === 1
    const member = { id: userId, isAdmin }
    const isShutOut = identity.madeAccount === 1 && !isAdmin
    const hasAnother = await hasWayIn(db, { member, passkeysWork: true, except: provider.id })
    if (isShutOut || !hasAnother) await deleteApiTokens(db, userId)
  })
  ctx.live.announce([userId])
  ctx.log.info({ userId, provider: provider.id }, 'signed out: left the server')
}
