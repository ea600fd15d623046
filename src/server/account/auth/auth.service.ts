import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { SignInMethod } from '#server/platform/db/tables/account.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Login } from '#shared/schemas/auth.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { findOwnUser } from '../user/user.queries.ts'
import { findAccount, findCredentials } from './auth.queries.ts'
import { makeDeviceToken, readDeviceToken } from './known-device.ts'
import { endSession, startSession } from './lucia.ts'
import { checkPassword } from './password-check.ts'
import { requireSecondStep } from './second-step.ts'

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
>

/**
 * @returns also a device token for a new browser
 * @throws `unauthenticated`, with the same message and duration for an unknown name; `forbidden`
 * for a banned member; `second-factor` if another step follows
 */
export async function logIn(
  accounts: Accounts,
  input: Login & { deviceToken: string | undefined },
): Promise<{ user: OwnUser; deviceToken: string | undefined }> {
  const { username, password, rememberMe, deviceToken } = input
  const { db, log, address } = accounts
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
  if (account.bannedAt !== null) log.warn(attempt, 'login of a banned account')
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

function requireNotBanned(user: { bannedAt: string | null; banReason: string | null }): void {
  if (user.bannedAt === null) return
  const reason = (user.banReason ?? '').replaceAll(/\s+/g, ' ')
  throw new AppError('forbidden', `This account is banned. The reason: ${reason}`)
}

/** @throws `forbidden` for a banned member */
export async function requireActiveAccount(db: Database, userId: number) {
  const account = await findAccount(db, userId)
  if (!account) throw new AppError('unauthenticated', 'Invalid username or password.')
  requireNotBanned(account)
  return account
}

/**
 * Ends every kind of sign-in: starts a session and ends the one that the browser had.
 * @throws `forbidden` for a banned member; `second-factor` if another step follows, which `second-step.service.ts` ends
 */
export async function completeSignIn(
  accounts: Accounts,
  input: { userId: number; rememberMe: boolean; method: SignInMethod },
): Promise<OwnUser> {
  await requireActiveAccount(accounts.db, input.userId)
  await requireSecondStep(accounts, input)
  return beginSignedIn(accounts, input)
}

/** Without asking for a second step. */
export async function beginSignedIn(
  accounts: Accounts,
  input: { userId: number; rememberMe: boolean; method: SignInMethod },
): Promise<OwnUser> {
  const { db, sessions, session, userAgent, address } = accounts
  const user = await findOwnUser(db, input.userId)
  if (!user) throw new AppError('unauthenticated', 'Invalid username or password.')
  const token = await startSession(sessions, { ...input, userAgent, address })
  if (session) await endSession(sessions, session.id)
  accounts.sessionCookie.write(token, { rememberMe: input.rememberMe })
  return user
}
