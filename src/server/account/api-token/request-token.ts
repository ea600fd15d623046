import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import type { Identity, RequestToken } from '#server/platform/viewer.ts'
import { createLastUses, type LastUses } from '../auth/last-use.ts'
import { sessionOf } from '../auth/request-session.ts'
import { findApiToken } from './api-token.queries.ts'

const BEARER = /^bearer +(\S{1,200}) *$/i

const tokens = new WeakMap<FastifyRequest, Promise<RequestToken | undefined>>()

export function createIdentity(deps: Pick<AppDeps, 'config' | 'db' | 'sessions'>): Identity {
  const lastUses = createLastUses(deps.db)
  return {
    sessionOf: (request) => sessionOf(request, { ...deps, lastUses }),
    tokenOf: (request) => tokenOf(request, { ...deps, lastUses }),
  }
}

/** Cached per request. */
function tokenOf(
  request: FastifyRequest,
  deps: Pick<AppDeps, 'db'> & { lastUses: LastUses },
): Promise<RequestToken | undefined> {
  const known = tokens.get(request)
  if (known) return known
  const text = BEARER.exec(request.headers.authorization ?? '')?.[1]
  const found = text ? readToken(request, { ...deps, text }) : Promise.resolve(undefined)
  tokens.set(request, found)
  return found
}

async function readToken(
  request: FastifyRequest,
  { db, lastUses, text }: Pick<AppDeps, 'db'> & { lastUses: LastUses; text: string },
): Promise<RequestToken | undefined> {
  const row = await findApiToken(db, hashApiToken(text))
  if (!row) return undefined
  const { id, scope, lastUsedAt, userId, username, displayName } = row
  lastUses.note(request, { kind: 'token', id }, lastUsedAt)
  return { id, scope, viewer: { id: userId, username, displayName, isAdmin: false } }
}

export function hashApiToken(token: string): string {
  return digestOf(token)
}
