import { type Selectable, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { IdentitiesTable, IdentityProvidersTable } from '#server/platform/db/tables/account.ts'

export type ProviderRow = Selectable<IdentityProvidersTable>
export type IdentityRow = Selectable<IdentitiesTable>

export async function findProvider(db: Database, id: number): Promise<ProviderRow | undefined> {
  return db
    .selectFrom('identityProviders')
    .selectAll()
    .where('id', '=', id)
    .where('isActive', '=', sql.lit(1))
    .executeTakeFirst()
}

export async function listProviders(db: Database): Promise<ProviderRow[]> {
  return db
    .selectFrom('identityProviders')
    .selectAll()
    .where('isActive', '=', sql.lit(1))
    .orderBy('id')
    .execute()
}

/** Includes providers whose variables were removed. */
export async function listStoredProviders(db: Database): Promise<ProviderRow[]> {
  return db.selectFrom('identityProviders').selectAll().orderBy('id').execute()
}

/** Includes providers whose variables were removed. */
export async function listEnvironmentProviders(db: Database): Promise<ProviderRow[]> {
  return db
    .selectFrom('identityProviders')
    .selectAll()
    .where('source', '=', 'environment')
    .orderBy('id')
    .execute()
}

type NewProvider = Omit<ProviderRow, 'id' | 'createdAt' | 'isActive'>

export async function insertProvider(db: Database, provider: NewProvider): Promise<number> {
  const { id } = await db
    .insertInto('identityProviders')
    .values({ ...provider, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateProvider(
  db: Database,
  { id, change }: { id: number; change: Partial<Omit<ProviderRow, 'id' | 'source'>> },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db.updateTable('identityProviders').set(change).where('id', '=', id).execute()
}

export async function deleteProvider(db: Database, id: number): Promise<void> {
  await db.deleteFrom('identityProviders').where('id', '=', id).execute()
}

/**
 * Counts the members of each provider, and how many of them have neither a password that signs them in, a passkey nor
 * another provider.
 */
export async function countProviderMembers(db: Database) {
  const isOnlyWay = sql<number>`CASE WHEN (
    "users"."password" = '' OR ("users"."isAdmin" = 0 AND EXISTS (
      SELECT 1 FROM "signInSettings" WHERE "id" = 1 AND "passwordsFor" = 'admins'
    ))
  ) AND NOT EXISTS (
    SELECT 1 FROM "passkeys" WHERE "passkeys"."userId" = "users"."id"
  ) AND NOT EXISTS (
    SELECT 1 FROM "identities" AS "others"
    INNER JOIN "identityProviders" ON "identityProviders"."id" = "others"."providerId"
    WHERE "others"."userId" = "users"."id" AND "others"."id" <> "identities"."id"
      AND "identityProviders"."isActive" = 1
  ) THEN 1 ELSE 0 END`
  const rows = await db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.userId')
    .select('identities.providerId')
    .select((eb) => eb.fn.countAll<number>().as('members'))
    .select((eb) => eb.fn.sum<number | null>(isOnlyWay).as('onlyWay'))
    .groupBy('identities.providerId')
    .execute()
  return new Map(rows.map((row) => [row.providerId, row]))
}

export async function findIdentity(
  db: Database,
  { providerId, subject }: { providerId: number; subject: string },
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('providerId', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function listIdentities(db: Database, userId: number): Promise<IdentityRow[]> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

export async function listIdentitiesWithGrants(
  db: Database,
  providerId: number,
): Promise<IdentityRow[]> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('providerId', '=', providerId)
    .where('grants', '<>', '[]')
    .orderBy('id')
    .execute()
}

type NewIdentity = Pick<
  IdentityRow,
  'providerId' | 'subject' | 'userId' | 'name' | 'refreshToken' | 'madeAccount'
>

/**
 * @throws a unique violation when the identity belongs to a member already, or the member has another one of the
 * provider
 */
export async function insertIdentity(
  db: DatabaseTransaction,
  identity: NewIdentity,
): Promise<number> {
  const now = timestamp()
  const { id } = await db
    .insertInto('identities')
    .values({ ...identity, createdAt: now, lastUsedAt: now, checkedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type IdentityChange = Partial<Omit<IdentityRow, 'id' | 'providerId' | 'subject' | 'userId'>>

export async function updateIdentity(
  db: Database,
  { id, change }: { id: number; change: IdentityChange },
): Promise<void> {
  await db.updateTable('identities').set(change).where('id', '=', id).execute()
}

export async function deleteIdentity(db: Database, id: number): Promise<void> {
  await db.deleteFrom('identities').where('id', '=', id).execute()
}

/** Identities of a provider that can be checked without the member, those that were checked longest ago first. */
export async function listIdentitiesToCheck(
  db: Database,
  { providerId, before, limit }: { providerId: number; before: string; limit: number },
): Promise<IdentityRow[]> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('providerId', '=', providerId)
    .where('refreshToken', 'is not', null)
    .where('checkedAt', '<=', before)
    .orderBy('checkedAt')
    .limit(limit)
    .execute()
}

/** Claims the identity for one check, so that two nodes do not use its token at once. */
export async function claimCheck(
  db: Database,
  { id, checkedAt }: Pick<IdentityRow, 'id' | 'checkedAt'>,
): Promise<boolean> {
  const result = await db
    .updateTable('identities')
    .set({ checkedAt: timestamp() })
    .where('id', '=', id)
    .where('checkedAt', '=', checkedAt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Ends the sessions that a provider's session began, or all that a member began with the provider.
 * @param input.until sessions that began later are kept
 * @returns the ids of the members whose sessions ended
 */
export async function deleteProviderSessions(
  db: Database,
  input: { providerId: number; until: string } & ({ providerSession: string } | { userId: number }),
): Promise<number[]> {
  const { providerId, until } = input
  let query = db
    .deleteFrom('sessions')
    .where('providerId', '=', providerId)
    .where('createdAt', '<=', until)
  if ('providerSession' in input) {
    query = query.where('providerSession', '=', input.providerSession)
  } else query = query.where('userId', '=', input.userId)
  const rows = await query.returning('userId').execute()
  return [...new Set(rows.map(({ userId }) => userId))]
}

export async function isEmail(db: Database, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  return row !== undefined
}

export async function findMemberOfIdentity(db: Database, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'isAdmin', 'isTrustedUploader', 'bannedAt'])
    .select('password')
    .where('id', '=', userId)
    .executeTakeFirst()
}
