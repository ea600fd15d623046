import type { Context } from '#server/platform/context.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { deleteStepsOf } from '../auth/sign-in-step.queries.ts'
import { deleteProviderSessions, findIdentity } from './provider.queries.ts'
import { requireProvider } from './provider-identity.service.ts'
import { readLogoutToken } from './provider-tokens.ts'

/**
 * Ends the sessions of somebody who signed out at the provider (OpenID Connect Back-Channel Logout 1.0). Sessions
 * that began after the token was issued are kept, so that a replayed token ends nothing.
 * @throws AppError for a token that the provider did not issue for this site
 */
export async function endProviderSessions(
  ctx: Context,
  { id, token }: { id: number; token: string },
): Promise<void> {
  const provider = await requireProvider(ctx.db, id)
  const { subject, session, issuedAt } = await readLogoutToken(ctx, provider, token)
  // `issuedAt` is in whole seconds.
  const until = timestamp(new Date((issuedAt + 1) * 1000))
  const of = { providerId: provider.id, until }
  const identity =
    subject === undefined
      ? undefined
      : await findIdentity(ctx.db, { providerId: provider.id, subject })
  // A sign-in that waits for a second factor would begin a session that this logout does not end.
  if (identity) await deleteStepsOf(ctx.db, identity.userId)
  const ended =
    session !== undefined
      ? await deleteProviderSessions(ctx.db, { ...of, providerSession: session })
      : identity
        ? await deleteProviderSessions(ctx.db, { ...of, userId: identity.userId })
        : []
  ctx.live.announce(ended)
  ctx.log.info({ provider: provider.id, userIds: ended }, 'signed out by provider')
}
