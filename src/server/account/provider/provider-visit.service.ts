import { requireConfirmed } from '#server/platform/confirmation.ts'
import type { Context } from '#server/platform/context.ts'
import { AppError } from '#server/platform/errors.ts'
import { describeFailure } from '#server/platform/trpc.ts'
import { ownPath } from '#shared/own-path.ts'
import type { BeginProvider, ProviderOutcome } from '#shared/schemas/provider.schemas.ts'
import { requireActiveAccount } from '../auth/auth.service.ts'
import { LeavingError } from '../auth/leaving-step.ts'
import { requireHttps } from '../auth/required-https.ts'
import { beginStep, readStep, takeStep } from '../auth/sign-in-step.ts'
import { findIdentity } from './provider.queries.ts'
import { beginAt, endAt } from './provider-exchange.ts'
import { failure } from './provider-failure.ts'
import {
  noteUse,
  requireProvider,
  signInByProvider,
  signOutGone,
} from './provider-identity.service.ts'
import { confirmByProvider, linkIdentity, type Visited } from './provider-link.service.ts'
import { takeProfile } from './provider-profile.service.ts'
import { askToRegister } from './provider-registration.service.ts'
import { applyRoles } from './provider-roles.service.ts'
import { callbackUrl, VISIT, VISIT_END, type Visit } from './provider-visit.ts'

/**
 * Begins a visit to a provider.
 * @returns the address that the browser has to open
 * @throws `unauthenticated` or `unconfirmed` when linking, `busy` when the provider cannot be reached
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
      next: ownPath(input.next, ctx.origin) ?? '/',
      rememberMe,
      invite: invite || null,
      sessionId: session?.id ?? null,
      beganAt: Math.floor(Date.now() / 1000),
    },
  })
  return { url }
}

/**
 * Completes a visit with the parameters that the provider gave the browser. A failure is stored for the next page. It
 * is not put into the address, where anybody could write a sentence.
 * @param input.search query of the request
 * @returns the page to open next
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
  // The first two errors have begun a step of their own.
  const page = search ? `/auth?${search}` : '/auth'
  if (error instanceof LeavingError) return `${page}#leaving`
  if (known && error.kind === 'second-factor') return `${page}#second-factor`
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

async function goOn(ctx: Context, arrival: Omit<Visited, 'identity'>): Promise<string> {
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
  if (visit.purpose === 'link') return linkIdentity(ctx, { ...arrival, identity })
  if (visit.purpose === 'confirm') return confirmByProvider(ctx, { ...arrival, identity })
  if (!identity) return askToRegister(ctx, arrival)
  await noteUse(db, { identity, account })
  await requireActiveAccount(ctx, identity.userId)
  await applyRoles(ctx, { provider, subject: account.subject, roles: account.roles ?? [] })
  // Copied before the second factor, which another request brings.
  await takeProfile(ctx, { provider, account, before: identity })
  await signInByProvider(ctx, { provider, account, visit, userId: identity.userId })
  return visit.next
}

export async function readOutcome(ctx: Context): Promise<ProviderOutcome | null> {
  return (await readStep(ctx, VISIT_END))?.data.outcome ?? null
}
