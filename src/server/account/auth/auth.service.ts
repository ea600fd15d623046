import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { writeQuietly } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ActiveSession } from '#server/platform/viewer.ts'
import { SESSIONS_MAX } from '#shared/limits.ts'
import type { Login } from '#shared/schemas/auth.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { requirePasswordsForMembers } from '../sign-in-settings/sign-in-settings.service.ts'
import { findOwnUser } from '../user/user.queries.ts'
import {
  deleteOldestSessions,
  findAccount,
  findCredentials,
  replaceConfirmedSession,
  updateKept,
} from './auth.queries.ts'
import { makeDeviceToken, readDeviceToken } from './known-device.ts'
import { refuseLeaving, takeLeaving } from './leaving-step.ts'
import { endSession, makeToken, sessionIdOf, startSession } from './lucia.ts'
import { checkPassword } from './password-check.ts'
import { findReplacement, noteReplacement } from './replaced-session.ts'
import { requireHttps } from './required-https.ts'
import { type FirstStep, requireSecondFactor } from './second-factor-step.ts'

export type Accounts = Pick<
  Context,
  | 'db'
  | 'sessions'
  | 'session'
  | 'sessionCookie'
  | 'stepCookie'
  | 'deviceCookie'
  | 'origin'
  | 'log'
  | 'userAgent'
  | 'limits'
  | 'address'
  | 'config'
  | 'arrival'
>

/**
 * @returns also a device token for a new browser
 * @throws `unauthenticated`, with the same message and duration for an unknown name; `forbidden`
 * for a banned member, for members where only admins have passwords, or over plain HTTP where the admin
 * wants https; `second-factor` if another step follows
 */
export async function logIn(
  accounts: Accounts,
  input: Login & { deviceToken: string | undefined },
): Promise<{ user: OwnUser; deviceToken: string | undefined }> {
  const { username, password, rememberMe, deviceToken } = input
  const { db, log, address } = accounts
  await requireHttps(accounts)
  const found = await findCredentials(db, username)
  const device = found && (await readDeviceToken(db, { token: deviceToken, account: found }))
  const hash = found?.password
  const matches = await checkPassword(accounts, { username, password, hash, device })
  // Unknown names may be mistyped passwords.
  const attempt = { userId: found?.id ?? null, address }
  const account = matches ? await findCredentials(db, username) : undefined
  // It may change while the check is queued.
  if (account === undefined || account.password !== hash) {
    log.warn(attempt, 'login failed')
    await writeLoginDown(accounts, { action: 'member.fail-login', member: found })
    throw new AppError('unauthenticated', 'Invalid username or password.')
  }
  requireNotBanned(accounts, account)
  if (account.isAdmin === 0) await requirePasswordsForMembers(db)
  const user = await completeSignIn(accounts, {
    userId: account.id,
    rememberMe,
    method: 'password',
  })
  log.info(attempt, 'login')
  await writeLoginDown(accounts, { action: 'member.login', member: account })
  const isNew = rememberMe && device === undefined
  return { user, deviceToken: isNew ? await makeDeviceToken(db, account) : undefined }
}

/** At most ten of each kind per account and hour; none for unknown names. */
export async function writeLoginDown(
  { db, limits }: Pick<Accounts, 'db' | 'limits'>,
  input: {
    action: 'member.login' | 'member.fail-login'
    member: { id: number; username: string } | undefined
  },
): Promise<void> {
  const { action, member } = input
  if (!(await limits.loginEntries.isWithin(`${action} ${member?.id}`))) return
  const actor = action === 'member.login' ? (member ?? null) : null
  const target = member
    ? ({ kind: 'member', id: member.id, name: member.username } as const)
    : ({ kind: 'site', id: null, name: 'an unknown name' } as const)
  await insertAuditEntry(db, { actor, action, target })
}

type Noted = Pick<Accounts, 'log' | 'address'>

function requireNotBanned(
  { log, address }: Noted,
  user: { id: number; bannedAt: string | null; banReason: string | null },
): void {
  if (user.bannedAt === null) return
  log.warn({ userId: user.id, address }, 'login of a banned account')
  const reason = (user.banReason ?? '').replaceAll(/\s+/g, ' ')
  throw new AppError('forbidden', `This account is banned. The reason: ${reason}`)
}

type SignIn = FirstStep & { userId: number }

/**
 * @throws `forbidden` for a banned member, and for one who left the Discord server that the account was created for,
 * unless an admin
 */
export async function requireActiveAccount(accounts: Noted & Pick<Accounts, 'db'>, userId: number) {
  const account = await findAccount(accounts.db, userId)
  if (!account) throw new AppError('unauthenticated', 'Invalid username or password.')
  requireAdmitted(accounts, account)
  return account
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

function requireAdmitted({ log, address }: Noted, account: Account): void {
  requireNotBanned({ log, address }, account)
  const { id, leftServerOf, isAdmin } = account
  if (leftServerOf === null || isAdmin === 1) return
  log.warn({ userId: id, address }, 'login after leaving the server')
  throw new AppError(
    'forbidden',
    `This account is for members of a ${leftServerOf} server that you have left. Join it again, then sign in with ${leftServerOf}.`,
  )
}

/**
 * Completes every kind of sign-in: starts a session and ends the one that the browser had.
 * @throws `forbidden` for a banned member, for an account that is scheduled for deletion, and over plain HTTP if the
 * admin requires https; `second-factor` if another step follows, which `second-factor-step.service.ts` completes
 */
export async function completeSignIn(accounts: Accounts, input: SignIn): Promise<OwnUser> {
  await requireHttps(accounts)
  const account = await requireActiveAccount(accounts, input.userId)
  await requireSecondFactor(accounts, input)
  return beginSignedIn(accounts, { ...input, deletesAt: account.deletesAt })
}

/**
 * Starts the session without asking for a second factor.
 * @throws the errors of `completeSignIn` except `second-factor`
 */
export async function beginSignedIn(
  accounts: Accounts,
  { deletesAt, ...input }: SignIn & { deletesAt: string | null },
): Promise<OwnUser> {
  if (deletesAt !== null) await refuseLeaving(accounts, { ...input, deletesAt })
  return beginSession(accounts, input)
}

/**
 * Cancels the deletion of the account and signs in to it.
 * @throws `gone` ten minutes after the sign-in, `forbidden` for a banned member
 */
export async function keepAccount(accounts: Accounts): Promise<OwnUser> {
  const { db, log, address } = accounts
  await requireHttps(accounts)
  const signIn = await takeLeaving(accounts)
  const { userId } = signIn
  const account = await findAccount(db, userId)
  if (account) requireAdmitted(accounts, account)
  if (!(await updateKept(db, userId))) {
    throw new AppError('gone', 'This account has been deleted.')
  }
  log.info({ userId, address }, 'account kept')
  return beginSession(accounts, signIn)
}

async function beginSession(accounts: Accounts, input: SignIn): Promise<OwnUser> {
  const { db, log, sessions, session, userAgent, address } = accounts
  const user = await findOwnUser(db, input.userId)
  if (!user) throw new AppError('unauthenticated', 'Invalid username or password.')
  const token = await startSession(sessions, { ...input, userAgent, address })
  if (session) await endSession(sessions, session.id)
  const { userId } = input
  const oldest = { userId, keep: sessionIdOf(token), max: SESSIONS_MAX }
  const ended = await deleteOldestSessions(db, oldest)
  if (ended > 0) log.info({ userId, address, ended, cause: 'too many' }, 'sessions ended')
  accounts.sessionCookie.write(token, { rememberMe: input.rememberMe })
  return user
}

/**
 * Marks the session as confirmed and gives it a new token, so that somebody who copied the earlier token does not
 * gain what the confirmation allows.
 */
export async function confirmSession(
  { db, sessionCookie }: Pick<Context, 'db' | 'sessionCookie'>,
  session: ActiveSession,
): Promise<void> {
  const { id, rememberMe, viewer, isReplaced } = session
  const token = makeToken()
  const newId = sessionIdOf(token)
  const isRenewed = await writeQuietly(db, async (transaction) => {
    if (!isReplaced && (await replaceConfirmedSession(transaction, { id, newId }))) {
      await noteReplacement(transaction, { oldId: id, newId, userId: viewer.id })
      return true
    }
    // A concurrent confirmation has already sent the browser a new token.
    const current = isReplaced ? id : await findReplacement(transaction, id)
    const change = { id: current ?? id, newId: current ?? id }
    if (await replaceConfirmedSession(transaction, change)) return false
    throw new AppError('unauthenticated', 'Please sign in first.')
  })
  if (isRenewed) sessionCookie.write(token, { rememberMe })
}
