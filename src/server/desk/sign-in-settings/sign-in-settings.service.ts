import { requireOwnFactor } from '#server/account/second-factor/second-factor.service.ts'
import {
  findSignInSettings,
  hasAdminWithPassword,
  listOfferedProviders,
  updateSignInSettings,
} from '#server/account/sign-in-settings/sign-in-settings.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { EditSignInSettings, SignInSettings } from '#shared/schemas/sign-in.schemas.ts'

type Deps = Pick<Context, 'db' | 'config' | 'arrival'>

/**
 * @throws `conflict` when another admin has changed a setting, when passwords would be for admins only without a
 * provider, and when the admin requires a second factor without having one; `invalid` when https cannot be required
 */
export async function editSignInSettings(
  deps: Deps,
  input: EditSignInSettings & { viewer: Viewer },
): Promise<SignInSettings> {
  const { viewer, was, ...wish } = input
  return inTransaction(deps.db, async (transaction) => {
    const now = await findSignInSettings(transaction)
    requireUnchanged({ now, wish, was })
    if (wish.needsHttps && !now.needsHttps) requireReachByHttps(deps)
    const isWithoutPasswords = wish.passwordsFor === 'admins' && now.passwordsFor !== 'admins'
    if (isWithoutPasswords) await requireOtherWays(transaction)
    const isRequired = (wish.secondFactorFor ?? 'nobody') !== 'nobody'
    if (isRequired) await requireOwnFactor(transaction, viewer.id)
    const { passwordMin, passwordsFor, providersFirst, needsHttps } = { ...now, ...wish }
    const { secondFactorFor, secondFactorFrom } = { ...now, ...wish }
    await updateSignInSettings(transaction, {
      passwordMin,
      passwordsFor,
      providersFirst: providersFirst ? 1 : 0,
      secondFactorFor,
      secondFactorFrom,
      needsHttps: needsHttps ? 1 : 0,
    })
    const target = { kind: 'site', id: null, name: Object.keys(wish).join(', ') } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'site.edit-sign-in', target })
    return findSignInSettings(transaction)
  })
}

/** If the site could not be reached over https, nobody could sign in any more. */
function requireReachByHttps({ config, arrival }: Deps): void {
  if (!config.secureCookies) {
    throw new AppError('invalid', 'To require https, set PUBLIC_URL to the https address first.')
  }
  if (arrival().origin.startsWith('https:')) return
  throw new AppError(
    'invalid',
    `This request arrived without https. Open ${config.publicUrl}, or set TRUSTED_PROXY to the address of the proxy, before you require https.`,
  )
}

async function requireOtherWays(db: Database): Promise<void> {
  if ((await listOfferedProviders(db)).length === 0) {
    throw new AppError('conflict', 'Members could not sign in any more. Add a provider first.')
  }
  if (await hasAdminWithPassword(db)) return
  throw new AppError(
    'conflict',
    'No admin has a password, so nobody could sign in while a provider is down. Set one first.',
  )
}
