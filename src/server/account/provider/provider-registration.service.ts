import type { Context } from '#server/platform/context.ts'
import { AppError } from '#server/platform/errors.ts'
import { emailRule } from '#shared/field-rules.ts'
import type { RegisterByProvider } from '#shared/schemas/provider.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { isSquadTag } from '../auth/auth.queries.ts'
import { requireHttps } from '../auth/required-https.ts'
import { beginStep, readStep, takeStep } from '../auth/sign-in-step.ts'
import { requireRegistrationOpen } from '../invite/invite.service.ts'
import { makeAccount } from '../registration/registration.service.ts'
import { isUsername } from '../user/user.queries.ts'
import { insertIdentity, isEmail, type ProviderRow } from './provider.queries.ts'
import type { ProviderAccount } from './provider-account.ts'
import { failure } from './provider-failure.ts'
import { identityOf, requireProvider, signInByProvider } from './provider-identity.service.ts'
import { suggestDisplayName, suggestUsername } from './provider-names.ts'
import { takeProfile } from './provider-profile.service.ts'
import { applyRoles } from './provider-roles.service.ts'
import { VISIT_END, type Visit } from './provider-visit.ts'

/** Stored as the hash of accounts without a password. No password matches it. */
const NO_PASSWORD = ''

type Newcomer = { provider: ProviderRow; account: ProviderAccount; visit: Visit }

/**
 * Stores the data that the registration form needs.
 * @returns the page that shows the form
 * @throws `forbidden` while nobody can register, `conflict` for the email of a member
 */
export async function askToRegister(
  ctx: Context,
  { provider, account, visit }: Newcomer,
): Promise<string> {
  const { db } = ctx
  const { invite, next, rememberMe } = visit
  if (provider.makesAccounts === 0) await requireRegistrationOpen(db, { invite })
  const email = account.email !== null && !emailRule(account.email) ? account.email : ''
  // Anybody can give a provider an unverified email, so this must not reveal whether a member has it.
  if (email !== '' && account.emailIsVerified && (await isEmail(db, email))) {
    throw new AppError(
      'conflict',
      `There is an account with the email address of your ${provider.name} account. Sign in to it, and link ${provider.name} in the settings.`,
    )
  }
  const username = await suggestUsername(
    account.username || account.name,
    async (name) => (await isUsername(db, name)) || (await isSquadTag(db, name)),
  )
  const outcome = {
    kind: 'register',
    provider: provider.name,
    username,
    displayName: suggestDisplayName(account.name, username),
    email,
  } as const
  const newcomer = { providerId: provider.id, account, next, rememberMe, invite }
  await beginStep(ctx, VISIT_END, { userId: null, data: { outcome, newcomer } })
  return '/auth?step=provider'
}

/**
 * Creates the account of a newcomer from a provider.
 * @throws `unprocessable` when the form has expired, and the errors of `makeAccount`
 */
export async function registerByProvider(
  ctx: Context,
  input: RegisterByProvider,
): Promise<{ user: OwnUser; next: string }> {
  await requireHttps(ctx)
  const newcomer = (await readStep(ctx, VISIT_END))?.data.newcomer
  if (!newcomer) throw failure('expired', { name: '' })
  const { account, next, rememberMe, invite } = newcomer
  const provider = await requireProvider(ctx.db, newcomer.providerId)
  const userId = await makeAccount(ctx, {
    ...input,
    invite,
    password: async () => NO_PASSWORD,
    isAdmitted: provider.makesAccounts === 1,
    within: async (transaction, id) => {
      const identity = identityOf({ provider, account, userId: id, madeAccount: 1 })
      await insertIdentity(transaction, identity)
    },
  })
  await takeStep(ctx, VISIT_END)
  ctx.log.info({ userId, address: ctx.address, provider: provider.id }, 'registration')
  await applyRoles(ctx, { provider, subject: account.subject, roles: account.roles ?? [] })
  await takeProfile(ctx, { provider, account, before: undefined })
  const user = await signInByProvider(ctx, { provider, account, visit: { rememberMe }, userId })
  return { user, next }
}
