import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { ApiToken, ApiTokenScope } from '#shared/schemas/api-token.schemas.ts'

const COLUMNS = [
  ...(['id', 'name', 'scope', 'createdAt', 'lastUsedAt', 'address'] as const),
  ...(['userAgent', 'expiresAt'] as const),
] as const

/** Latest first, also expired. */
export async function listApiTokens(db: Database, userId: number): Promise<ApiToken[]> {
  return db
    .selectFrom('apiTokens')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

export async function countApiTokens(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('apiTokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

type NewApiToken = {
  userId: number
  name: string
  scope: ApiTokenScope
  tokenHash: string
  expiresAt: string | null
}

export async function insertApiToken(
  db: DatabaseTransaction,
  token: NewApiToken,
): Promise<ApiToken> {
  return db
    .insertInto('apiTokens')
    .values({ ...token, createdAt: timestamp() })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteApiToken(
  db: Database,
  input: { id: number; userId: number },
): Promise<boolean> {
  const result = await db
    .deleteFrom('apiTokens')
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deleteApiTokens(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('apiTokens').where('userId', '=', userId).execute()
}

export async function findApiToken(db: Database, tokenHash: string) {
  return db
    .selectFrom('apiTokens')
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .select(['apiTokens.id', 'apiTokens.scope', 'apiTokens.lastUsedAt', 'apiTokens.userId'])
    .select(['users.username', 'users.displayName'])
    .where('apiTokens.tokenHash', '=', tokenHash)
    .where('users.bannedAt', 'is', null)
    .where('users.deletesAt', 'is', null)
    .where((eb) =>
      eb.or([eb('apiTokens.expiresAt', 'is', null), eb('apiTokens.expiresAt', '>', timestamp())]),
    )
    .executeTakeFirst()
}
