import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { requireConfirmed } from '#server/platform/confirmation.ts'
import type { Context } from '#server/platform/context.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { LinkedAccount, LinkedAccounts } from '#shared/schemas/provider.schemas.ts'
import { confirmSession } from '../auth/auth.service.ts'
import { membersTold } from '../second-factor/second-factor.events.ts'
import { asksSecondFactor, readFactors } from '../second-factor/second-factor.service.ts'
import { requireWayIn } from '../way-in/way-in.service.ts'
import {
  deleteIdentity,
  findMemberOfIdentity,
  type IdentityRow,
  insertIdentity,
  listIdentities,
  listProviders,
  listStoredProviders,
  type ProviderRow,
} from './provider.queries.ts'
import type { ProviderAccount } from './provider-account.ts'
import { identityOf } from './provider-identity.service.ts'
import { applyRoles, changeGrants } from './provider-roles.service.ts'
import type { Visit } from './provider-visit.ts'

/** Seconds by which the provider's clock may be behind in the time at which it asked for credentials. */
const AGAIN_TOLERANCE = 60
const IF_NOT_YOU = 'If this was not you, check your linked accounts and sessions.'

export type Visited = {
  provider: ProviderRow
  account: ProviderAccount
  visit: Visit
  /** The member whose session began the visit. */
  userId: number | null
  identity: IdentityRow | undefined
}

export async function linkIdentity(
  ctx: Context,
  { provider, account, identity, ...of }: Visited,
): Promise<string> {
  const { viewer } = requireSame(ctx, of)
  const { name } = provider
  if (identity && identity.userId !== viewer.id) {
    throw new AppError('conflict', `This ${name} account is linked to another member here.`)
  }
  if (!identity) {
    try {
      await inTransaction(ctx.db, async (transaction) => {
        const linked = identityOf({ provider, account, userId: viewer.id, madeAccount: 0 })
        await insertIdentity(transaction, linked)
        const target = { kind: 'member', id: viewer.id, name: viewer.username } as const
        await insertAuditEntry(transaction, {
          ...{ actor: viewer, action: 'member.link', target, reason: name },
        })
        await membersTold.raise({
          db: transaction,
          userIds: [viewer.id],
          title: `${name} was linked`,
          message: `${account.name} can sign in to your account. ${IF_NOT_YOU}`,
        })
      })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const isOwn = (await listIdentities(ctx.db, viewer.id)).some(
        ({ providerId }) => providerId === provider.id,
      )
      throw new AppError(
        'conflict',
        isOwn
          ? `You have linked another ${name} account. Unlink it first.`
          : `This ${name} account is linked to another member here.`,
      )
    }
    ctx.live.announce([viewer.id])
  }
  await applyRoles(ctx, { provider, subject: account.subject, roles: account.roles ?? [] })
  const { log, address } = ctx
  log.info({ userId: viewer.id, address, provider: provider.id }, 'provider linked')
  return '/settings#sign-in'
}

/** @throws `forbidden` for another account at the provider, and for members whose second factor would be left out */
export async function confirmByProvider(ctx: Context, met: Visited): Promise<string> {
  const { provider, account, identity, visit } = met
  const session = requireSame(ctx, met)
  if (identity?.userId !== session.viewer.id) {
    throw new AppError(
      'forbidden',
      `This is not the ${provider.name} account that is linked to yours.`,
    )
  }
  // Some providers do not report when they asked for credentials; then a session at the provider is enough.
  const { authTime } = account
  if (authTime !== undefined && authTime < visit.beganAt - AGAIN_TOLERANCE) {
    throw new AppError('forbidden', `${provider.name} did not ask you to sign in again.`)
  }
  const factors = await readFactors(ctx.db, { userId: session.viewer.id, origin: ctx.origin })
  if (asksSecondFactor(factors)) {
    throw new AppError(
      'forbidden',
      'Your account has two-step sign-in. Confirm with a code or your passkey.',
    )
  }
  await confirmSession(ctx, session)
  const about = { userId: session.viewer.id, address: ctx.address, provider: provider.id }
  ctx.log.info(about, 'confirmed by provider')
  return visit.next
}

/**
 * Requires the session that began the visit. Its id has changed if it was confirmed in the meantime.
 * @throws `unauthenticated` when the session has ended, `unconfirmed` for another session that is not confirmed
 */
function requireSame(ctx: Context, { visit, userId }: Pick<Visited, 'visit' | 'userId'>) {
  const { session } = ctx
  if (!session || session.viewer.id !== userId) {
    throw new AppError('unauthenticated', 'You have been signed out. Please sign in again.')
  }
  if (session.id !== visit.sessionId) requireConfirmed(session)
  return session
}

export async function readLinkedAccounts(
  db: Database,
  { viewer }: { viewer: Viewer },
): Promise<LinkedAccounts> {
  const providers = (await listProviders(db)).map(({ id, kind, name }) => ({ id, kind, name }))
  const linked = await readIdentities(db, viewer.id)
  const identities = linked
    .filter(({ isOffered }) => isOffered)
    .map(({ isHeld, ...identity }) => ({ ...identity, isHeld: isHeld && !viewer.isAdmin }))
  return { providers, identities }
}

/**
 * Whether the account was created for members of a server. Otherwise a member could unlink the account, leave the
 * server, and still sign in by other ways.
 */
const isHeldBy = (
  { guildId }: Pick<ProviderRow, 'guildId'>,
  { madeAccount }: Pick<IdentityRow, 'madeAccount'>,
) => madeAccount === 1 && guildId !== null

/** Includes links to providers whose variables were removed. They work again when the variables return. */
export async function readIdentities(
  db: Database,
  userId: number,
): Promise<(LinkedAccount & { isOffered: boolean; isHeld: boolean })[]> {
  const providers = await listStoredProviders(db)
  const identities = await listIdentities(db, userId)
  return identities.flatMap((identity) => {
    const stored = providers.find((one) => one.id === identity.providerId)
    if (!stored) return []
    const { id, name, createdAt, lastUsedAt } = identity
    const provider = { id: stored.id, kind: stored.kind, name: stored.name }
    const isOffered = stored.isActive === 1
    const isHeld = isHeldBy(stored, identity)
    return [{ id, provider, name, createdAt, lastUsedAt, isOffered, isHeld }]
  })
}

/**
 * Deletes the link and the rights that roles of the provider gave.
 * @returns also the ids of the members to notify
 * @throws `not-found` also for a link of another member
 */
export async function takeIdentity(
  db: DatabaseTransaction,
  { id, userId }: { id: number; userId: number },
) {
  const identity = (await listIdentities(db, userId)).find((one) => one.id === id)
  const provider =
    identity && (await listStoredProviders(db)).find((one) => one.id === identity.providerId)
  if (!provider) throw new AppError('not-found', 'There is no such linked account.')
  const notified = await changeGrants(db, { provider, identity, roles: [] })
  await deleteIdentity(db, id)
  return { identity, provider, notified }
}

/** @throws `conflict` when it is the only way to sign in, or if the account was created for members of its server */
export async function unlinkIdentity(
  { db, live, origin, log }: Pick<Context, 'db' | 'live' | 'origin' | 'log'>,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<void> {
  const { told, providerId } = await inTransaction(db, async (transaction) => {
    const of = { id, userId: viewer.id }
    const { identity, provider, notified } = await takeIdentity(transaction, of)
    const member = await findMemberOfIdentity(transaction, viewer.id)
    const isAdmin = member?.isAdmin === 1
    if (isHeldBy(provider, identity) && !isAdmin) {
      throw new AppError(
        'conflict',
        `Your account was created for members of a ${provider.name} server, so only an admin can unlink it.`,
      )
    }
    await requireWayIn(transaction, { member: { id: viewer.id, isAdmin }, origin })
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.unlink',
      target: { kind: 'member', id: viewer.id, name: viewer.username },
      reason: provider.name,
    })
    await membersTold.raise({
      db: transaction,
      userIds: [viewer.id],
      title: `${provider.name} was unlinked`,
      message: `${identity.name} can no longer sign in to your account. ${IF_NOT_YOU}`,
    })
    return { told: [viewer.id, ...notified], providerId: provider.id }
  })
  live.announce(told)
  log.info({ userId: viewer.id, provider: providerId }, 'provider unlinked')
}
