import type { FastifyBaseLogger } from 'fastify'
import type { Login, Register } from '#shared/auth.schemas.ts'
import type { OwnUser } from '#shared/user.schemas.ts'
import { type Database, timestamp } from '../db/database.ts'
import { isUniqueViolation } from '../db/dialect.ts'
import { AppError } from '../errors.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { findOwnUser } from '../user/user.queries.ts'
import { countUsers, findCredentials, insertUser } from './auth.queries.ts'
import { type SessionStore, startSession } from './lucia.ts'
import { hashPassword, verifyPassword } from './password.ts'

type Accounts = {
  db: Database
  sessions: SessionStore
  log: FastifyBaseLogger
  userAgent: string | null
  limits: RateLimits
  /** Where the request comes from. */
  address: string
}
type SignedIn = { user: OwnUser; token: string }

/**
 * Creates an account and signs it in. The first account of a site becomes its admin, but only when
 * it is made at the machine itself: otherwise whoever finds a fresh site first would own it.
 * @throws AppError `conflict` when the username or the email is in use, `too-many` after 5 in an hour.
 */
export async function registerUser(
  accounts: Accounts,
  input: Register & { fromThisMachine: boolean },
): Promise<SignedIn> {
  const { db, log } = accounts
  accounts.limits.registrations.count(accounts.address)
  const password = await hashPassword(input.password)
  const { username, email, displayName, fromThisMachine } = input
  const id = await db
    .transaction()
    .execute(async (transaction) => {
      const isFirst = (await countUsers(transaction)) === 0
      if (isFirst && !fromThisMachine) {
        log.warn(
          `The first account was not registered at this machine, so it is a plain member. To make it an admin: npm run grant-admin -- ${username}`,
        )
      }
      const isAdmin = isFirst && fromThisMachine ? 1 : 0
      const createdAt = timestamp()
      return insertUser(transaction, { username, email, displayName, password, isAdmin, createdAt })
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw new AppError('conflict', 'Username or email is already in use.')
    })
  return signIn(accounts, { userId: id, rememberMe: false })
}

/** @throws AppError `unauthenticated`, in the same words and time for an unknown name and a wrong password. */
export async function logIn(accounts: Accounts, input: Login): Promise<SignedIn> {
  const { db, limits, address } = accounts
  const account = `${input.username.toLowerCase()} ${address}`
  // Counted before the password is checked, so that parallel attempts gain nothing.
  limits.loginFailuresByAccount.count(account)
  limits.loginFailuresByAddress.count(address)
  const credentials = await findCredentials(db, input.username)
  if (!(await verifyPassword(credentials?.password, input.password)) || !credentials) {
    throw new AppError('unauthenticated', 'Invalid username or password.')
  }
  limits.loginFailuresByAccount.forgive(account)
  limits.loginFailuresByAddress.forgive(address)
  return signIn(accounts, { userId: credentials.id, rememberMe: input.rememberMe })
}

async function signIn(
  { db, sessions, userAgent }: Accounts,
  input: { userId: number; rememberMe: boolean },
): Promise<SignedIn> {
  const token = await startSession(sessions, { ...input, userAgent })
  const user = await findOwnUser(db, input.userId)
  if (!user) throw new AppError('unauthenticated', 'Invalid username or password.')
  return { user, token }
}
