import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { EditSignInSettings, SignInSettings } from '#shared/schemas/sign-in.schemas.ts'
import { requireOwnFactor } from '../second-factor/second-factor.service.ts'
import { findSignInSettings, updateSignInSettings } from './sign-in-settings.queries.ts'

/** @throws `conflict` when another admin changed a setting meanwhile, or for requiring a second step without having one */
export async function editSignInSettings(
  db: Database,
  input: EditSignInSettings & { viewer: Viewer },
): Promise<SignInSettings> {
  const { viewer, was, ...wish } = input
  return inTransaction(db, async (transaction) => {
    const now = await findSignInSettings(transaction)
    requireUnchanged({ now, wish, was })
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
