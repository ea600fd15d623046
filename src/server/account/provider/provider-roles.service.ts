import { z } from 'zod'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import { type RoleRule, roleRuleSchema } from '#shared/schemas/provider.schemas.ts'
import { countOtherAdmins, updateUser } from '../user/user.queries.ts'
import { squadGiven, squadTaken } from './provider.events.ts'
import {
  findIdentity,
  findMemberOfIdentity,
  type IdentityRow,
  listIdentitiesWithGrants,
  type ProviderRow,
  updateIdentity,
} from './provider.queries.ts'

const rulesSchema = z.array(roleRuleSchema)
const grantsSchema = z.array(z.string())

export function readRoleRules({ roleRules }: Pick<ProviderRow, 'roleRules'>): RoleRule[] {
  return rulesSchema.parse(JSON.parse(roleRules))
}

/** Returns 'admin', 'uploader', or 'squad' with the id of the squad. */
const grantOf = (rule: RoleRule) => (rule.gives === 'squad' ? `squad ${rule.squadId}` : rule.gives)

/**
 * Gives what the roles grant, and takes away what earlier roles granted. Rights that a member had already are neither
 * recorded as grants nor taken away. The last admin stays an admin.
 * @param input.roles empty for somebody who left the server
 */
export async function applyRoles(
  { db, live }: { db: Database; live: LiveFeed },
  input: { provider: ProviderRow; subject: string; roles: readonly string[] },
): Promise<void> {
  const { provider, subject, roles } = input
  const notified = await inTransaction(db, async (transaction) => {
    const identity = await findIdentity(transaction, { providerId: provider.id, subject })
    return identity ? changeGrants(transaction, { provider, identity, roles }) : []
  })
  if (notified.length > 0) live.announce(notified)
}

/**
 * Takes away what roles granted to all members of a provider.
 * @returns the members to notify
 */
export async function takeAllGrants(
  db: DatabaseTransaction,
  provider: ProviderRow,
): Promise<number[]> {
  const notified: number[] = []
  for (const identity of await listIdentitiesWithGrants(db, provider.id)) {
    notified.push(...(await changeGrants(db, { provider, identity, roles: [] })))
  }
  return notified
}

/**
 * Call within a transaction.
 * @returns the members to notify
 */
export async function changeGrants(
  db: DatabaseTransaction,
  input: { provider: ProviderRow; identity: IdentityRow; roles: readonly string[] },
): Promise<number[]> {
  const { provider, identity, roles } = input
  const rules = readRoleRules(provider).filter(({ roleId }) => roles.includes(roleId))
  const wanted = new Set(rules.map(grantOf))
  const given = grantsSchema.parse(JSON.parse(identity.grants))
  const grants: string[] = []
  const told: number[] = []
  const act = { db, identity, provider }
  for (const grant of given) {
    if (wanted.has(grant)) grants.push(grant)
    else {
      const taken = await take({ ...act, grant })
      if (taken === undefined) grants.push(grant)
      else told.push(...taken)
    }
  }
  for (const grant of wanted) {
    const found = grants.includes(grant) ? undefined : await give({ ...act, grant })
    if (!found) continue
    grants.push(grant)
    told.push(...found)
  }
  if (JSON.stringify(grants) !== identity.grants) {
    await updateIdentity(db, { id: identity.id, change: { grants: JSON.stringify(grants) } })
  }
  return told
}

type Act = {
  db: Parameters<typeof squadGiven.raise>[0]['db']
  identity: IdentityRow
  provider: ProviderRow
  grant: string
}

/** @returns the members to notify, or undefined if the member had the right before */
async function give({ db, identity, provider, grant }: Act): Promise<number[] | undefined> {
  const { userId } = identity
  const member = await findMemberOfIdentity(db, userId)
  if (!member || member.bannedAt !== null) return undefined
  if (grant === 'admin') {
    if (member.isAdmin === 1) return undefined
    await updateUser(db, { id: userId, change: { isAdmin: 1 } })
    await noteRole(db, { member, provider, action: 'member.make-admin' })
    return [userId]
  }
  if (grant === 'uploader') {
    if (member.isTrustedUploader === 1) return undefined
    await updateUser(db, { id: userId, change: { isTrustedUploader: 1 } })
    return []
  }
  const results = await squadGiven.raise({ db, userId, squadId: squadIdOf(grant) })
  const found = results.filter((result) => result !== null)
  return found.length > 0 ? found.flat() : undefined
}

/** @returns the members to notify, or undefined if the right cannot be taken away now */
async function take({ db, identity, provider, grant }: Act): Promise<number[] | undefined> {
  const { userId } = identity
  const member = await findMemberOfIdentity(db, userId)
  if (!member) return []
  if (grant === 'admin') {
    if (member.isAdmin === 0) return []
    if ((await countOtherAdmins(db, userId)) === 0) return undefined
    await updateUser(db, { id: userId, change: { isAdmin: 0 } })
    await noteRole(db, { member, provider, action: 'member.unmake-admin' })
    return [userId]
  }
  if (grant === 'uploader') {
    await updateUser(db, { id: userId, change: { isTrustedUploader: 0 } })
    return []
  }
  return (await squadTaken.raise({ db, userId, squadId: squadIdOf(grant) })).flat()
}

const squadIdOf = (grant: string) => Number(grant.split(' ')[1])

async function noteRole(
  db: Database,
  input: {
    member: { id: number; username: string }
    provider: ProviderRow
    action: 'member.make-admin' | 'member.unmake-admin'
  },
): Promise<void> {
  const { member, provider, action } = input
  const target = { kind: 'member', id: member.id, name: member.username } as const
  await insertAuditEntry(db, {
    actor: null,
    action,
    target,
    reason: `By a role of ${provider.name}.`,
  })
}
