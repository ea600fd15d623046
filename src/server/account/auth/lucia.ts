import { randomBytes } from 'node:crypto'
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import { type Database, timestamp, writeQuietly } from '#server/platform/db/database.ts'
import { writeInPassing } from '#server/platform/db/move/writable.ts'
import type { SessionsTable, SignInMethod } from '#server/platform/db/tables/account.ts'
import { toFlag } from '#server/platform/db/tables/column.ts'
import { rangeOf } from '#server/platform/request/client-address.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import { SESSION_DAYS, SESSION_DAYS_MAX, UNREMEMBERED_SESSION_HOURS } from '#shared/limits.ts'
import { findReplacement } from './replaced-session.ts'

declare module 'lucia' {
  interface Register {
    Lucia: SessionStore
    UserId: number
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: Viewer
  }
}

const DAY_MS = 86_400_000
const LIFETIME_MS = SESSION_DAYS_MAX * DAY_MS
const REMEMBERED_SECONDS = (SESSION_DAYS * DAY_MS) / 1000
const UNREMEMBERED_SECONDS = UNREMEMBERED_SESSION_HOURS * 3600
/** Seconds by which a session without 'Remember me' ends earlier than lucia assumes. */
const SHORTER_SECONDS = REMEMBERED_SECONDS - UNREMEMBERED_SECONDS

export type SessionStore = ReturnType<typeof createSessionStore>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    sessions: SessionStore
  }
}

type SessionAttributes = {
  rememberMe: boolean
  userAgent: string | null
  method?: SignInMethod
  address?: string | null
  confirmedAt?: string | null
  isReplaced?: boolean
  lastUsedAt?: string | null
  provider?: ProviderSession
}

export type ProviderSession = { id: number; session: string | null }

/**
 * Sessions last 30 days, or one day when the browser does not remember them. They are renewed after
 * half of that, for at most 180 days, so that a copied cookie expires.
 * Tokens are stored as SHA-256: a stolen database opens no account. See
 * docs/decisions/0024-sessions-and-passwords.md.
 */
export function createSessionStore(db: Database) {
  return new Lucia(createAdapter(db), {
    sessionExpiresIn: new TimeSpan(SESSION_DAYS, 'd'),
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  })
}

type NewSession = Pick<
  SessionAttributes,
  'rememberMe' | 'userAgent' | 'method' | 'address' | 'provider'
>

/** The token is the only copy. */
export async function startSession(
  sessions: SessionStore,
  { userId, ...session }: { userId: number } & NewSession,
): Promise<string> {
  const token = makeToken()
  const { rememberMe, userAgent, method = 'password', address = null, provider } = session
  const range = address && rangeOf(address)
  await sessions.createSession(
    userId,
    { rememberMe, userAgent, method, address: range, ...(provider && { provider }) },
    { sessionId: sessionIdOf(token) },
  )
  return token
}

export const makeToken = () => randomBytes(32).toString('base64url')

export async function findSession(
  sessions: SessionStore,
  token: string,
): Promise<ActiveSession | undefined> {
  const { session, user } = await sessions.validateSession(sessionIdOf(token))
  if (!session) return undefined
  const { id, rememberMe, fresh, confirmedAt = null, lastUsedAt = null } = session
  const { isReplaced = false } = session
  // The cookie of a replaced token must not be set again.
  const renewed = fresh && !isReplaced
  return { id, rememberMe, viewer: user, renewed, confirmedAt, lastUsedAt, isReplaced }
}

/** Returns the member as of now, or undefined if the session has ended. */
export async function findViewer(
  sessions: SessionStore,
  sessionId: string,
): Promise<Viewer | undefined> {
  const { user } = await sessions.validateSession(sessionId)
  return user ?? undefined
}

export async function endSession(sessions: SessionStore, sessionId: string): Promise<void> {
  await sessions.invalidateSession(sessionId)
}

export function sessionIdOf(token: string): string {
  return digestOf(token)
}

/** Quiet writes: visitors' answers do not depend on sessions. */
function createAdapter(db: Database): Adapter {
  return {
    async getSessionAndUser(sessionId) {
      const [row] = await findRow(db, sessionId)
      // Lucia would delete expired sessions; reads must not write, the janitor does.
      if (!row || isOver(row)) return [null, null]
      const { userId: id, username, displayName, isAdmin } = row
      const viewer: Viewer = { id, username, displayName, isAdmin: isAdmin === 1 }
      return [toSession(row), { id, attributes: viewer }]
    },
    async getUserSessions(userId) {
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'userId', 'expiresAt', 'rememberMe', 'userAgent'])
        .where('userId', '=', userId)
        .execute()
      return rows.map(toSession)
    },
    async setSession(session) {
      const row = {
        id: session.id,
        userId: session.userId,
        expiresAt:
          toSeconds(session.expiresAt) - (session.attributes.rememberMe ? 0 : SHORTER_SECONDS),
        rememberMe: toFlag(session.attributes.rememberMe),
        userAgent: session.attributes.userAgent,
        createdAt: timestamp(),
        method: session.attributes.method ?? ('password' as const),
        address: session.attributes.address ?? null,
        lastUsedAt: timestamp(),
        providerId: session.attributes.provider?.id ?? null,
        providerSession: session.attributes.provider?.session ?? null,
      }
      await writeQuietly(db, (transaction) =>
        transaction.insertInto('sessions').values(row).execute(),
      )
    },
    async updateSessionExpiration(sessionId, expiresAt) {
      const seconds = toSeconds(expiresAt)
      await writeInPassing(db, (transaction) =>
        transaction
          .updateTable('sessions')
          .set((eb) => ({
            expiresAt: eb
              .case()
              .when('rememberMe', '=', eb.lit(1))
              .then(eb.lit(seconds))
              .else(eb.lit(seconds - SHORTER_SECONDS))
              .end(),
          }))
          .where('id', '=', sessionId)
          .execute(),
      )
    },
    async deleteSession(sessionId) {
      await writeQuietly(db, (transaction) =>
        transaction.deleteFrom('sessions').where('id', '=', sessionId).execute(),
      )
    },
    async deleteUserSessions(userId) {
      await db.deleteFrom('sessions').where('userId', '=', userId).execute()
    },
    async deleteExpiredSessions() {
      const now = toSeconds(new Date())
      await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
    },
  }
}

/** Also accepts a token that was replaced some seconds ago. Such a session is not confirmed. */
async function findRow(db: Database, id: string) {
  const rows = await selectSession(db, { id })
  if (rows.length > 0) return rows
  const newId = await findReplacement(db, id)
  if (newId === undefined) return []
  const replaced = await selectSession(db, { id: newId })
  return replaced.map((row) => ({ ...row, confirmedAt: null, isReplaced: true }))
}

function isOver({ createdAt, expiresAt }: { createdAt: string; expiresAt: number }): boolean {
  const isOld = createdAt <= timestamp(new Date(Date.now() - LIFETIME_MS))
  return isOld || expiresAt <= toSeconds(new Date())
}

const selectSession = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'sessions.userId', 'sessions.expiresAt', 'sessions.rememberMe'])
    .select(['sessions.userAgent', 'sessions.createdAt', 'sessions.confirmedAt'])
    .select('sessions.lastUsedAt')
    .select(['users.username', 'users.displayName', 'users.isAdmin'])
    .where('sessions.id', '=', id)
    .where('users.bannedAt', 'is', null)
    .where('users.deletesAt', 'is', null)
    .compile(),
)

type SessionRow = Pick<SessionsTable, 'id' | 'userId' | 'expiresAt' | 'rememberMe' | 'userAgent'> &
  Partial<Pick<SessionsTable, 'confirmedAt' | 'lastUsedAt'>> & { isReplaced?: boolean }

/**
 * Lucia has one lifetime for all sessions and renews them in its second half. For sessions that are not remembered it
 * gets a later end, so that they are renewed in the second half of their own lifetime; `isOver` checks the real end.
 */
function shownEnd({ expiresAt, rememberMe }: SessionRow): Date {
  return new Date((expiresAt + (rememberMe === 1 ? 0 : SHORTER_SECONDS / 2)) * 1000)
}

function toSession(row: SessionRow): DatabaseSession {
  return {
    id: row.id,
    userId: row.userId,
    expiresAt: shownEnd(row),
    attributes: {
      rememberMe: row.rememberMe === 1,
      userAgent: row.userAgent,
      ...(row.confirmedAt !== undefined && { confirmedAt: row.confirmedAt }),
      ...(row.isReplaced && { isReplaced: true }),
      ...(row.lastUsedAt !== undefined && { lastUsedAt: row.lastUsedAt }),
    },
  }
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
