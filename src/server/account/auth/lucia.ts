import { hash, randomBytes } from 'node:crypto'
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import { type Database, timestamp, writeQuietly } from '#server/platform/db/database.ts'
import { writeInPassing } from '#server/platform/db/move/writable.ts'
import type { SessionsTable, SignInMethod } from '#server/platform/db/tables/account.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import { SESSION_DAYS, SESSION_DAYS_MAX } from '#shared/limits.ts'

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
  provider?: ProviderSession
}

export type ProviderSession = { id: number; session: string | null }

/**
 * Sessions last 30 days, renewed after half, for at most 180, so that a copied cookie expires.
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
  const token = randomBytes(32).toString('base64url')
  const { rememberMe, userAgent, method = 'password', address = null, provider } = session
  await sessions.createSession(
    userId,
    { rememberMe, userAgent, method, address, ...(provider && { provider }) },
    { sessionId: sessionIdOf(token) },
  )
  return token
}

export async function findSession(
  sessions: SessionStore,
  token: string,
): Promise<ActiveSession | undefined> {
  const { session, user } = await sessions.validateSession(sessionIdOf(token))
  if (!session) return undefined
  const { id, rememberMe, fresh, confirmedAt = null } = session
  return { id, rememberMe, viewer: user, renewed: fresh, confirmedAt }
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
  return hash('sha256', token, 'hex')
}

/** Quiet writes: visitors' answers do not depend on sessions. */
function createAdapter(db: Database): Adapter {
  return {
    async getSessionAndUser(sessionId) {
      const [row] = await selectSession(db, { id: sessionId })
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
        expiresAt: toSeconds(session.expiresAt),
        rememberMe: (session.attributes.rememberMe ? 1 : 0) as Flag,
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
      const change = { expiresAt: toSeconds(expiresAt) }
      await writeInPassing(db, (transaction) =>
        transaction.updateTable('sessions').set(change).where('id', '=', sessionId).execute(),
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
    .select(['users.username', 'users.displayName', 'users.isAdmin'])
    .where('sessions.id', '=', id)
    .where('users.bannedAt', 'is', null)
    .compile(),
)

type SessionRow = Pick<SessionsTable, 'id' | 'userId' | 'expiresAt' | 'rememberMe' | 'userAgent'> &
  Partial<Pick<SessionsTable, 'confirmedAt'>>

function toSession(row: SessionRow): DatabaseSession {
  return {
    id: row.id,
    userId: row.userId,
    expiresAt: new Date(row.expiresAt * 1000),
    attributes: {
      rememberMe: row.rememberMe === 1,
      userAgent: row.userAgent,
      ...(row.confirmedAt !== undefined && { confirmedAt: row.confirmedAt }),
    },
  }
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
