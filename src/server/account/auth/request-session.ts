import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { readSessionCookie } from '#server/platform/request/credentials.ts'
import type { ActiveSession } from '#server/platform/viewer.ts'
import type { LastUses } from './last-use.ts'
import { findSession } from './lucia.ts'

const sessions = new WeakMap<FastifyRequest, Promise<ActiveSession | undefined>>()

/** Cached per request. */
export function sessionOf(
  request: FastifyRequest,
  deps: Pick<AppDeps, 'config' | 'sessions'> & { lastUses: LastUses },
): Promise<ActiveSession | undefined> {
  const known = sessions.get(request)
  if (known) return known
  const token = readSessionCookie(request, deps.config)
  const found = token ? readSession(request, { ...deps, token }) : Promise.resolve(undefined)
  sessions.set(request, found)
  return found
}

async function readSession(
  request: FastifyRequest,
  input: Pick<AppDeps, 'sessions'> & { lastUses: LastUses; token: string },
): Promise<ActiveSession | undefined> {
  const session = await findSession(input.sessions, input.token)
  if (session) {
    const { id, lastUsedAt } = session
    input.lastUses.note(request, { kind: 'session', id }, lastUsedAt)
  }
  return session
}
