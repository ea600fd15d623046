import type { FastifyBaseLogger } from 'fastify'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { RateLimits } from '#server/platform/request/rate-limits.ts'
import type { Login } from '#shared/schemas/auth.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { findOwnUser } from '../user/user.queries.ts'
import { findCredentials } from './auth.queries.ts'
import { makeDeviceToken, readDeviceToken } from './known-device.ts'
import { type SessionStore, startSession } from './lucia.ts'
import { checkPassword } from './password-check.ts'

export type Accounts = {
  db: Database
  sessions: SessionStore
  log: FastifyBaseLogger
  userAgent: string | null
  limits: RateLimits
  address: string
}
export type SignedIn = { user: OwnUser; token: string }

/**
 * @returns also a device token for a new browser
 * @throws `unauthenticated`, with the same message and duration for an unknown name; `forbidden`
 * for a banned member
 */
export async function logIn(
  accounts: Accounts,
  input: Login & { deviceToken: string | undefined },
): Promise<SignedIn & { deviceToken: string | undefined }> {
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
  requireNotBanned(account)
  log.info(attempt, 'login')
  await writeLoginDown(accounts, { action: 'member.login', member: account })
  const signedIn = await signIn(accounts, { userId: account.id, rememberMe })
  const isNew = rememberMe && device === undefined
  return { ...signedIn, deviceToken: isNew ? await makeDeviceToken(db, account) : undefined }
}

/** At most ten of each kind per account and hour; none for unknown names. */
async function writeLoginDown(
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

export async function signIn(
  { db, sessions, userAgent }: Accounts,
  input: { userId: number; rememberMe: boolean },
): Promise<SignedIn> {
  const token = await startSession(sessions, { ...input, userAgent })
  const user = await findOwnUser(db, input.userId)
  if (!user) throw new AppError('unauthenticated', 'Invalid username or password.')
  return { user, token }
}
