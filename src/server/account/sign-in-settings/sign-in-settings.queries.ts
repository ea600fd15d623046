import { sql, type Updateable } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { SignInSettingsTable } from '#server/platform/db/tables/account.ts'
import type { OfferedProvider } from '#shared/schemas/provider.schemas.ts'
import type { SignInSettings } from '#shared/schemas/sign-in.schemas.ts'

export async function findSignInSettings(db: Database): Promise<SignInSettings> {
  const row = await db
    .selectFrom('signInSettings')
    .select(['passwordMin', 'passwordsFor', 'providersFirst', 'secondFactorFor'])
    .select(['secondFactorFrom', 'needsHttps'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return { ...row, providersFirst: row.providersFirst === 1, needsHttps: row.needsHttps === 1 }
}

export async function hasAdminWithPassword(db: Database): Promise<boolean> {
  const admin = await db
    .selectFrom('users')
    .select('id')
    .where('isAdmin', '=', sql.lit(1))
    .where('password', '<>', '')
    .where('bannedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return admin !== undefined
}

/** The providers on the sign-in page. */
export async function listOfferedProviders(db: Database): Promise<OfferedProvider[]> {
  return db
    .selectFrom('identityProviders')
    .select(['id', 'kind', 'name'])
    .where('isActive', '=', sql.lit(1))
    .orderBy('id')
    .execute()
}

export async function updateSignInSettings(
  db: Database,
  change: Updateable<SignInSettingsTable>,
): Promise<void> {
  await db.updateTable('signInSettings').set(change).where('id', '=', 1).execute()
}
