import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { readSessionCookie } from '#server/platform/request/credentials.ts'
import type { ActiveSession } from '#server/platform/viewer.ts'
import { findSession } from './lucia.ts'

const sessions = new WeakMap<FastifyRequest, Promise<ActiveSession | undefined>>()

/** Cached per request. */
export function sessionOf(
  request: FastifyRequest,
  deps: Pick<AppDeps, 'config' | 'sessions'>,
): Promise<ActiveSession | undefined> {
  const known = sessions.get(request)
  if (known) return known
  const token = readSessionCookie(request, deps.config)
  const found = token ? findSession(deps.sessions, token) : Promise.resolve(undefined)
  sessions.set(request, found)
  return found
}
