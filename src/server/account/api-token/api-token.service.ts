import { randomBytes } from 'node:crypto'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  API_TOKENS_MAX,
  type ApiToken,
  type CreateApiToken,
} from '#shared/schemas/api-token.schemas.ts'
import {
  countApiTokens,
  deleteApiToken,
  deleteApiTokens,
  insertApiToken,
} from './api-token.queries.ts'
import { hashApiToken } from './request-token.ts'

type Deps = Pick<Context, 'db' | 'log' | 'address'>

/** For people and secret scanners. */
const PREFIX = 'clutch_'
const DAY_MS = 86_400_000

/**
 * 256 random bits, stored as a digest; the answer is the only copy.
 * @throws `conflict` at 20 tokens
 */
export async function createApiToken(
  { db, log, address }: Deps,
  input: CreateApiToken & { viewer: Pick<Viewer, 'id'> },
): Promise<ApiToken & { token: string }> {
  const { viewer, name, scope, days } = input
  const token = PREFIX + randomBytes(32).toString('base64url')
  const expiresAt = days === null ? null : timestamp(new Date(Date.now() + days * DAY_MS))
  const created = await inTransaction(db, async (transaction) => {
    await requireRoomForToken(transaction, viewer.id)
    const tokenHash = hashApiToken(token)
    return insertApiToken(transaction, { userId: viewer.id, name, scope, tokenHash, expiresAt })
  })
  log.info({ userId: viewer.id, address, tokenId: created.id, scope }, 'API token made')
  return { ...created, token }
}

/** @throws `conflict` at 20 tokens */
export async function requireRoomForToken(db: Database, userId: number): Promise<void> {
  if ((await countApiTokens(db, userId)) < API_TOKENS_MAX) return
  throw new AppError('conflict', `You have ${API_TOKENS_MAX} API tokens. Revoke one of them first.`)
}

/** @throws `not-found`, also for another member's */
export async function revokeApiToken(
  { db, log, address }: Deps,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  if (!(await deleteApiToken(db, { id, userId: viewer.id }))) {
    throw new AppError('not-found', 'There is no such API token.')
  }
  log.info({ userId: viewer.id, address, tokenId: id }, 'API token revoked')
}

/** @throws `invalid` for a session */
export async function revokeOwnToken({
  db,
  log,
  address,
  token,
}: Deps & Pick<Context, 'token'>): Promise<void> {
  if (!token) throw new AppError('invalid', 'This call is for requests with an API token.')
  const { id, viewer } = token
  // It may have been revoked at the same time.
  if (!(await deleteApiToken(db, { id, userId: viewer.id }))) return
  log.info({ userId: viewer.id, address, tokenId: id }, 'API token revoked')
}

export async function revokeApiTokens(
  { db, log, address }: Deps,
  { viewer }: { viewer: Viewer },
): Promise<void> {
  await deleteApiTokens(db, viewer.id)
  log.info({ userId: viewer.id, address }, 'all API tokens revoked')
}
