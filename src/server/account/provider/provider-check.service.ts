import { timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { readRolesAgain } from './discord.ts'
import {
  claimCheck,
  listIdentitiesToCheck,
  listProviders,
  type ProviderRow,
  updateIdentity,
} from './provider.queries.ts'
import { signOutGone } from './provider-identity.service.ts'
import { applyRoles, readRoleRules } from './provider-roles.service.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** Maximum number of members per provider and call. The janitor calls `checkMembers` every hour. */
const ROUND_MAX = 200

type Log = {
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
}
type CheckDeps = Pick<AppDeps, 'db' | 'live' | 'config' | 'outgoing' | 'closing'> & { log: Log }

/**
 * Checks once a day which members left the Discord server or lost a role. If Discord does not answer, nobody is
 * signed out, and the member is checked again in an hour.
 */
export async function checkMembers(deps: CheckDeps, now: Date = new Date()): Promise<void> {
  for (const provider of await listProviders(deps.db)) {
    if (provider.kind !== 'discord' || provider.guildId === null) continue
    try {
      await checkMembersOf(deps, provider, now)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = error.reason ?? error.message
      deps.log.warn({ provider: provider.id, reason }, 'members of a server could not be checked')
    }
  }
}

async function checkMembersOf(deps: CheckDeps, provider: ProviderRow, now: Date): Promise<void> {
  const { db } = deps
  const before = timestamp(new Date(now.getTime() - DAY_MS))
  const dueInAnHour = timestamp(new Date(now.getTime() - DAY_MS + HOUR_MS))
  const due = { providerId: provider.id, before, limit: ROUND_MAX }
  for (const identity of await listIdentitiesToCheck(db, due)) {
    if (deps.closing.aborted) return
    const { id, subject, refreshToken } = identity
    if (refreshToken === null || !(await claimCheck(db, identity))) continue
    const onRenewed = (renewed: string | null) =>
      updateIdentity(db, { id, change: { refreshToken: renewed } })
    const roles = await readRolesAgain(deps, provider, { refreshToken, onRenewed }).catch(
      async (error) => {
        // Behind the others that are due, because Discord may fail for this member only.
        await updateIdentity(db, { id, change: { checkedAt: dueInAnHour } })
        throw error
      },
    )
    if (!roles) await signOutGone(deps, { provider, identity })
    else if (readRoleRules(provider).length > 0 || identity.grants !== '[]') {
      await applyRoles(deps, { provider, subject, roles })
    }
  }
}
