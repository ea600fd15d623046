import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { withLock } from '#server/platform/cluster/locks.ts'
import type { EnvironmentProvider } from '#server/platform/config.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { toFlag } from '#server/platform/db/tables/column.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { DISCORD } from '#shared/providers.ts'
import type { CreateProvider, EditProvider, Provider } from '#shared/schemas/provider.schemas.ts'
import { findSignInSettings } from '../sign-in-settings/sign-in-settings.queries.ts'
import {
  countProviderMembers,
  deleteProvider,
  insertProvider,
  listEnvironmentProviders,
  listProviders,
  type ProviderRow,
  updateProvider,
} from './provider.queries.ts'
import type { ProviderDeps } from './provider-client.ts'
import { testProvider } from './provider-exchange.ts'
import { requireProvider } from './provider-identity.service.ts'
import { readRoleRules, takeAllGrants } from './provider-roles.service.ts'
import { callbackUrl } from './provider-visit.ts'

/** Fields that are needed to reach the provider. A change is tested before it is saved. */
const ACCESS = ['issuer', 'clientId', 'clientSecret'] as const

type Origin = Pick<Context, 'origin'>

export async function readProviders(db: Database, { origin }: Origin): Promise<Provider[]> {
  const counts = await countProviderMembers(db)
  return (await listProviders(db)).map((row) => {
    const { members = 0, onlyWay } = counts.get(row.id) ?? {}
    const { id, source, kind, name, issuer, clientId, guildId } = row
    return {
      ...{ id, source, kind, name, issuer, clientId, guildId },
      makesAccounts: row.makesAccounts === 1,
      takesProfile: row.takesProfile === 1,
      roleRules: readRoleRules(row),
      callbackUrl: callbackUrl(origin, id),
      logoutUrl: `${origin}/api/auth/provider/${id}/logout`,
      memberCount: members,
      onlyWayCount: onlyWay ?? 0,
    }
  })
}

function toChange(fields: Omit<EditProvider, 'id'>) {
  const { makesAccounts, takesProfile, roleRules, issuer, ...rest } = fields
  return {
    ...rest,
    ...(issuer !== undefined && { issuer: plainIssuer(issuer) }),
    ...(makesAccounts !== undefined && { makesAccounts: toFlag(makesAccounts) }),
    ...(takesProfile !== undefined && { takesProfile: toFlag(takesProfile) }),
    ...(roleRules !== undefined && { roleRules: JSON.stringify(roleRules) }),
  }
}

/** Admins may enter the address of the discovery document instead of the issuer. */
function plainIssuer(address: string): string {
  const plain = address.replace(/\/\.well-known\/openid-configuration$/, '')
  return URL.parse(plain)?.pathname === '/' ? plain.replace(/\/$/, '') : plain
}

function requireWholeRules({
  kind,
  guildId,
  roleRules,
}: Pick<ProviderRow, 'kind' | 'guildId' | 'roleRules'>) {
  if (kind === 'discord' && guildId === null && roleRules !== '[]') {
    throw new AppError('invalid', 'Roles belong to a Discord server: enter its id.')
  }
}

/** @throws `busy` or `unprocessable` when the provider does not answer as an identity provider */
export async function createProvider(
  ctx: ProviderDeps & Pick<Context, 'db'>,
  { viewer, ...input }: CreateProvider & { viewer: Viewer },
): Promise<number> {
  const { kind, name, clientId, clientSecret, guildId } = input
  const change = toChange(input)
  const row = {
    ...({ source: 'desk', kind, name, clientId, clientSecret, guildId } as const),
    issuer: plainIssuer(input.issuer),
    makesAccounts: toFlag(input.makesAccounts),
    takesProfile: toFlag(input.takesProfile),
    roleRules: change.roleRules ?? '[]',
  }
  requireWholeRules(row)
  await testProvider(ctx, { ...row, id: 0, isActive: 1, createdAt: '' })
  return inTransaction(ctx.db, async (transaction) => {
    const id = await insertProvider(transaction, row)
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'provider.create',
      target: { kind: 'site', id: null, name },
    })
    return id
  })
}

/**
 * Links identify people by the ids that the issuer gives to this client. At another address, or for another client of
 * OpenID Connect (pairwise subjects), the same id may belong to another person. Discord has the same ids for all clients.
 * @throws `conflict` when members have linked accounts of the provider
 */
async function requireSamePeople(
  db: Database,
  { before, change }: { before: ProviderRow; change: Partial<ProviderRow> },
): Promise<void> {
  const isOther = (field: 'issuer' | 'clientId') =>
    change[field] !== undefined && change[field] !== before[field]
  const hasOtherIssuer = isOther('issuer')
  if (!hasOtherIssuer && !(before.kind === 'oidc' && isOther('clientId'))) return
  const { members = 0 } = (await countProviderMembers(db)).get(before.id) ?? {}
  if (members === 0) return
  const what = hasOtherIssuer ? 'address' : 'client ID'
  throw new AppError(
    'conflict',
    `Members sign in with this provider. Add the other ${what} as a new provider.`,
  )
}

/** @throws `conflict` for another address or client of a provider that members use, and the errors of `createProvider` */
export async function editProvider(
  ctx: ProviderDeps & Pick<Context, 'db' | 'live'>,
  { viewer, id, ...input }: EditProvider & { viewer: Viewer },
): Promise<void> {
  const before = await requireProvider(ctx.db, id)
  const change = toChange(input)
  if (before.source === 'environment') {
    const { name, issuer, clientId, clientSecret } = change
    const fixed = { name, issuer, clientId, clientSecret }
    const changed = Object.entries(fixed).some(
      ([field, value]) => value !== undefined && value !== before[field as keyof typeof fixed],
    )
    if (changed) {
      throw new AppError('conflict', 'This provider is set by variables of the environment.')
    }
  }
  await requireSamePeople(ctx.db, { before, change })
  const after = { ...before, ...change }
  requireWholeRules(after)
  // Other fields can also be changed while the provider is down.
  const hasNewAccess = ACCESS.some((field) => after[field] !== before[field])
  if (hasNewAccess) await testProvider(ctx, after)
  const told = await inTransaction(ctx.db, async (transaction) => {
    // A member may have linked an account during the request to the provider.
    await requireSamePeople(transaction, { before, change })
    await updateProvider(transaction, { id, change })
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'provider.edit',
      target: { kind: 'site', id: null, name: after.name },
      reason: Object.keys(input).join(', '),
    })
    // Without a Discord server, roles are never checked again.
    return after.guildId === null ? takeAllGrants(transaction, after) : []
  })
  ctx.live.announce(told)
}

/**
 * Also takes away what roles of the provider gave.
 * @throws `conflict` for a provider of the environment, and for the last provider while passwords are for admins only
 */
export async function removeProvider(
  { db, live }: Pick<Context, 'db' | 'live'>,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<void> {
  const told = await inTransaction(db, async (transaction) => {
    const provider = await requireProvider(transaction, id)
    if (provider.source === 'environment') {
      throw new AppError('conflict', 'This provider is set by variables of the environment.')
    }
    const { passwordsFor } = await findSignInSettings(transaction)
    if (passwordsFor === 'admins' && (await listProviders(transaction)).length === 1) {
      throw new AppError('conflict', 'Members could not sign in any more. Allow passwords first.')
    }
    const notified = await takeAllGrants(transaction, provider)
    await deleteProvider(transaction, id)
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'provider.delete',
      target: { kind: 'site', id: null, name: provider.name },
    })
    return notified
  })
  live.announce(told)
}

/**
 * Stores the providers of the environment before the site opens, on one node at a time. Providers whose variables
 * were removed keep their links, in case the variables return.
 */
export async function noteEnvironmentProviders(
  db: Database,
  providers: readonly EnvironmentProvider[],
): Promise<void> {
  // Most sites have no such providers, and start without taking the lock.
  if (providers.length === 0 && (await listEnvironmentProviders(db)).length === 0) return
  const note = () => noteProviders(db, providers)
  await withLock(db, 'environment-providers', note)
}

async function noteProviders(
  db: Database,
  providers: readonly EnvironmentProvider[],
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const rows = await listEnvironmentProviders(transaction)
    const isOf = (row: ProviderRow) => (one: EnvironmentProvider) =>
      one.issuer === row.issuer && one.clientId === row.clientId
    for (const row of rows) {
      const set = providers.find(isOf(row))
      const wish = set
        ? { name: set.name, isActive: 1 as const }
        : { name: row.name, isActive: 0 as const }
      const isSame = wish.name === row.name && wish.isActive === row.isActive
      if (!isSame) await updateProvider(transaction, { id: row.id, change: wish })
    }
    for (const { name, issuer, clientId } of providers) {
      if (rows.some((row) => row.issuer === issuer && row.clientId === clientId)) continue
      await insertProvider(transaction, {
        ...({ source: 'environment', kind: issuer === DISCORD ? 'discord' : 'oidc' } as const),
        ...{ name, issuer, clientId, clientSecret: null },
        ...({ makesAccounts: 0, takesProfile: 0, guildId: null, roleRules: '[]' } as const),
      })
    }
  })
}
