import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** Ids of the providers on the sign-in page that the member has linked. */
export async function listLinkedProviders(db: Database, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('identities')
    .innerJoin('identityProviders', 'identityProviders.id', 'identities.providerId')
    .select('identities.providerId')
    .where('identities.userId', '=', userId)
    .where('identityProviders.isActive', '=', sql.lit(1))
    .execute()
  return rows.map(({ providerId }) => providerId)
}
