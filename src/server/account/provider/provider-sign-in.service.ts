import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { requireConfirmed } from '#server/platform/confirmation.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import { AppError } from '#server/platform/errors.ts'
import { describeFailure } from '#server/platform/trpc.ts'
import { emailRule } from '#shared/field-rules.ts'
import type {
  BeginProvider,
  ProviderOutcome,
  RegisterByProvider,
} from '#shared/schemas/provider.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { deleteApiTokens } from '../api-token/api-token.queries.ts'
import { deleteSessions, isSquadTag } from '../auth/auth.queries.ts'
import {
  completeSignIn,
  confirmSession,
  requireActiveAccount,
  writeLoginDown,
} from '../auth/auth.service.ts'
import { LeavingError } from '../auth/leaving-step.ts'
import { requireHttps } from '../auth/required-https.ts'
import { deleteStepsOf } from '../auth/sign-in-step.queries.ts'
import { beginStep, readStep, takeStep } from '../auth/sign-in-step.ts'
import { requireRegistrationOpen } from '../invite/invite.service.ts'
import { makeAccount } from '../registration/registration.service.ts'
import { membersTold } from '../second-factor/second-factor.events.ts'
import { isUsername } from '../user/user.queries.ts'
import {
  findIdentity,
  findMemberOfIdentity,
  findProvider,
  type IdentityRow,
  insertIdentity,
  isEmail,
  listIdentities,
  type ProviderRow,
  updateIdentity,
} from './provider.queries.ts'
import type { ProviderAccount } from './provider-account.ts'
import { beginAt, endAt } from './provider-exchange.ts'
import { failure } from './provider-failure.ts'
import { suggestDisplayName, suggestUsername } from './provider-names.ts'
import { takeProfile } from './provider-profile.service.ts'
import { applyRoles } from './provider-roles.service.ts'
import { VISIT, VISIT_END, type Visit } from './provider-visit.ts'
import { hasWayIn } from './way-in.service.ts'

type Log = { info: (details: object, message: string) => void }

/** Seconds that the clock of a provider may be behind when it says when it asked for credentials. */
const AGAIN_TOLERANCE = 60
export const IF_NOT_YOU = 'If this was not you, look at your linked accounts and sessions.'
/** Of an account that signs in by a provider only: no password matches it. */
const NO_PASSWORD = ''

export const callbackUrl = (origin: string, providerId: number) =>
  `${origin}/api/auth/provider/${providerId}/callback`

export async function requireProvider(db: Database, id: number): Promise<ProviderRow> {
  const provider = await findProvider(db, id)
  if (!provider) throw new AppError('not-found', 'This way to sign in is no longer offered.')
  return provider
}

/**
 * Sends the browser to a provider.
 * @returns the address there
 * @throws `unauthenticated` or `unconfirmed` to link, `busy` when the provider cannot be reached
 */
export async function beginVisit(ctx: Context, input: BeginProvider): Promise<{ url: string }> {
  const { purpose, rememberMe, invite = null } = input
  const session = purpose === 'sign-in' ? undefined : ctx.session
  if (purpose !== 'sign-in') {
    if (!session) throw new AppError('unauthenticated', 'Please sign in first.')
    if (purpose === 'link') requireConfirmed(session)
  }
  await requireHttps(ctx)
  const provider = await requireProvider(ctx.db, input.id)
  const redirectUri = callbackUrl(ctx.origin, provider.id)
  const isAgain = purpose === 'confirm'
  const { url, ...expected } = await beginAt(ctx, provider, { redirectUri, isAgain })
  await beginStep(ctx, VISIT, {
    userId: session?.viewer.id ?? null,
    data: {
      providerId: provider.id,
      purpose,
      ...expected,
      redirectUri,
      next: ownPath(input.next) ?? '/',
      rememberMe,
      invite: invite || null,
      sessionId: session?.id ?? null,
      beganAt: Math.floor(Date.now() / 1000),
    },
  })
  return { url }
}

/** Undefined for an address of another site. */
function ownPath(address: string | null | undefined): string | undefined {
  if (!address || !/^\/(?![/\\])/.test(address)) return undefined
  const base = 'http://site.invalid'
  const url = URL.parse(address, base)
  return url?.origin === base ? `${url.pathname}${url.search}${url.hash}` : undefined
}

/**
 * Ends a visit with what the provider gave the browser. What went wrong is remembered for the page that follows: a sentence in
 * an address could be anybody's.
 * @param input.search of the request
 * @returns the page to go on with
 */
export async function endVisit(
  ctx: Context,
  { id, search }: { id: number; search: string },
): Promise<string> {
  const step = await takeStep(ctx, VISIT)
  const visit = step?.data
  try {
    if (!visit || visit.providerId !== id) throw failure('expired', { name: '' })
    const provider = await requireProvider(ctx.db, id)
    const url = new URL(visit.redirectUri)
    url.search = search
    const account = await endAt(ctx, provider, { url, expected: visit })
    return await goOn(ctx, { provider, account, visit, userId: step.userId })
  } catch (error) {
    return explain(ctx, { error, visit, id })
  }
}

async function explain(
  ctx: Context,
  { error, visit, id }: { error: unknown; visit: Visit | undefined; id: number },
): Promise<string> {
  const { purpose = 'sign-in', next = '/' } = visit ?? {}
  const known = error instanceof AppError
  const search = next === '/' ? '' : `next=${encodeURIComponent(next)}`
  // These have begun a step of their own.
  const page = search ? `/auth?${search}` : '/auth'
  if (error instanceof LeavingError) return `${page}#leaving`
  if (known && error.kind === 'second-factor') return `${page}#second-step`
  const { message: sentence, reason } = describeFailure(error)
  const about = { provider: id, purpose, address: ctx.address }
  if (known) ctx.log.warn({ ...about, reason: reason ?? error.kind }, 'sign-in by provider failed')
  else ctx.log.error({ ...about, err: error }, 'sign-in by provider failed')
  const outcome = { kind: 'problem', purpose, sentence } as const
  await beginStep(ctx, VISIT_END, { userId: null, data: { outcome, newcomer: null } })
  return purpose === 'sign-in'
    ? `/auth?step=provider${search && `&${search}`}`
    : '/settings?step=provider#sign-in'
}

type Arrival = {
  provider: ProviderRow
  account: ProviderAccount
  visit: Visit
  userId: number | null
}

async function goOn(ctx: Context, arrival: Arrival): Promise<string> {
  const { provider, account, visit } = arrival
  const { db } = ctx
  const found = { providerId: provider.id, subject: account.subject }
  const identity = await findIdentity(db, found)
  if (provider.guildId !== null && account.roles === undefined) {
    if (identity) await signOutGone(ctx, { provider, identity })
    throw new AppError(
      'forbidden',
      `Your ${provider.name} account is not in the server whose members may sign in here.`,
    )
  }
  if (visit.purpose === 'link') return link(ctx, { ...arrival, identity })
  if (visit.purpose === 'confirm') return confirm(ctx, { ...arrival, identity })
  if (!identity) return askToRegister(ctx, arrival)
  await requireActiveAccount(ctx, identity.userId)
  await noteUse(db, { identity, account })
  await applyRoles(ctx, { provider, subject: account.subject, roles: account.roles ?? [] })
  // Before a second step, which ends elsewhere.
  await takeProfile(ctx, { provider, account, before: identity })
  await signIn(ctx, { provider, account, visit, userId: identity.userId })
  return visit.next
}

async function noteUse(
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
      ...(refreshToken !== null && { refreshToken }),
    },
  })
}

async function signIn(
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
 * Ends all sessions of who is no longer in the server, and takes away what roles gave. The link stays. API tokens stay
 * with those who have another way to sign in.
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
    const isAdmin = (await findMemberOfIdentity(db, userId))?.isAdmin === 1
    const member = { id: userId, isAdmin }
    const isMember = await hasWayIn(db, { member, passkeysWork: true, except: provider.id })
    if (!isMember) await deleteApiTokens(db, userId)
  })
  ctx.live.announce([userId])
  ctx.log.info({ userId, provider: provider.id }, 'signed out: left the server')
}

type Met = Arrival & { identity: IdentityRow | undefined }

/** The session that began the visit, which may have ended or been confirmed elsewhere meanwhile. */
function requireSame(ctx: Context, { visit, userId }: Pick<Arrival, 'visit' | 'userId'>) {
  const { session } = ctx
  if (!session || session.viewer.id !== userId) {
    throw new AppError('unauthenticated', 'You were signed out meanwhile. Please sign in again.')
  }
  if (session.id !== visit.sessionId) requireConfirmed(session)
  return session
}

async function link(ctx: Context, { provider, account, identity, ...of }: Met): Promise<string> {
  const { viewer } = requireSame(ctx, of)
  const { name } = provider
  if (identity && identity.userId !== viewer.id) {
    throw new AppError('conflict', `This ${name} account is linked to another member here.`)
  }
  if (!identity) {
    try {
      await inTransaction(ctx.db, async (transaction) => {
        await insertIdentity(transaction, identityOf({ provider, account, userId: viewer.id }))
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

function identityOf(input: { provider: ProviderRow; account: ProviderAccount; userId: number }) {
  const { provider, account, userId } = input
  const { subject, name, refreshToken } = account
  return { providerId: provider.id, subject, name, refreshToken, userId }
}

async function confirm(ctx: Context, met: Met): Promise<string> {
  const { provider, account, identity, visit } = met
  const session = requireSame(ctx, met)
  if (identity?.userId !== session.viewer.id) {
    throw new AppError(
      'forbidden',
      `This is not the ${provider.name} account that is linked to yours.`,
    )
  }
  // Some providers do not tell when; then being signed in there is enough.
  const { authTime } = account
  if (authTime !== undefined && authTime < visit.beganAt - AGAIN_TOLERANCE) {
    throw new AppError('forbidden', `${provider.name} did not ask you to sign in again.`)
  }
  await confirmSession(ctx, session)
  const about = { userId: session.viewer.id, address: ctx.address, provider: provider.id }
  ctx.log.info(about, 'confirmed by provider')
  return visit.next
}

/** @throws `forbidden` while nobody can register, `conflict` for the email of a member */
async function askToRegister(ctx: Context, { provider, account, visit }: Arrival): Promise<string> {
  const { db } = ctx
  const { invite, next, rememberMe } = visit
  if (provider.makesAccounts === 0) await requireRegistrationOpen(db, { invite })
  const email = account.email !== null && !emailRule(account.email) ? account.email : ''
  const isTaken = email !== '' && (await isEmail(db, email))
  if (isTaken && account.emailIsVerified) {
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
    email: isTaken ? '' : email,
  } as const
  const newcomer = { providerId: provider.id, account, next, rememberMe, invite }
  await beginStep(ctx, VISIT_END, { userId: null, data: { outcome, newcomer } })
  return '/auth?step=provider'
}

export async function readOutcome(ctx: Context): Promise<ProviderOutcome | null> {
  return (await readStep(ctx, VISIT_END))?.data.outcome ?? null
}

/**
 * Creates the account of a newcomer from a provider.
 * @throws `gone` when it took too long; as registration does
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
      await insertIdentity(transaction, identityOf({ provider, account, userId: id }))
    },
  })
  await takeStep(ctx, VISIT_END)
  ctx.log.info({ userId, address: ctx.address, provider: provider.id }, 'registration')
  await applyRoles(ctx, { provider, subject: account.subject, roles: account.roles ?? [] })
  await takeProfile(ctx, { provider, account, before: undefined })
  const user = await signIn(ctx, { provider, account, visit: { rememberMe }, userId })
  return { user, next }
}
