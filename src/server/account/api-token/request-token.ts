import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import type { Identity, RequestToken } from '#server/platform/viewer.ts'
import { sessionOf } from '../auth/request-session.ts'
import { findApiToken } from './api-token.queries.ts'

const BEARER = /^bearer +(\S{1,200}) *$/i

const tokens = new WeakMap<FastifyRequest, Promise<RequestToken | undefined>>()

export function createIdentity(deps: Pick<AppDeps, 'config' | 'db' | 'sessions'>): Identity {
  return {
    sessionOf: (request) => sessionOf(request, deps),
    tokenOf: (request) => tokenOf(request, deps),
  }
}

/** Cached per request. */
function tokenOf(
  request: FastifyRequest,
  { db }: Pick<AppDeps, 'db'>,
): Promise<RequestToken | undefined> {
  const known = tokens.get(request)
  if (known) return known
  const text = BEARER.exec(request.headers.authorization ?? '')?.[1]
  const found = text ? readToken(db, text) : Promise.resolve(undefined)
  tokens.set(request, found)
  return found
}

async function readToken(db: AppDeps['db'], text: string): Promise<RequestToken | undefined> {
  const row = await findApiToken(db, hashApiToken(text))
  if (!row) return undefined
  const { id, scope, lastUsedAt, userId, username, displayName } = row
  return { id, scope, lastUsedAt, viewer: { id: userId, username, displayName, isAdmin: false } }
}

export function hashApiToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
