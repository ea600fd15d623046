import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'

export async function findFactorOwner(db: Database, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'isAdmin', 'passkeyAfterPassword'])
    .select(sql<Flag>`CASE WHEN "password" = '' THEN 0 ELSE 1 END`.as('hasPassword'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function updatePasskeyAfterPassword(
  db: Database,
  input: { userId: number; isOn: boolean },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ passkeyAfterPassword: input.isOn ? 1 : 0 })
    .where('id', '=', input.userId)
    .execute()
}

type Concerned = { onlyAdmins: boolean }

/** Members who have neither time codes nor a passkey. */
function membersWithout(db: Database, { onlyAdmins }: Concerned) {
  let query = db
    .selectFrom('users')
    .select('users.id')
    .where('users.deletion', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('timeCodes')
            .select('timeCodes.userId')
            .whereRef('timeCodes.userId', '=', 'users.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.userId', '=', 'users.id'),
        ),
      ),
    )
  if (onlyAdmins) query = query.where('users.isAdmin', '=', sql.lit(1))
  return query
}

/** @returns the ids of the members whose sessions ended */
export async function deleteSessionsWithout(
  db: Database,
  concerned: Concerned & { limit: number },
): Promise<number[]> {
  const rows = await db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('sessions.id')
        .where('sessions.userId', 'in', membersWithout(db, concerned))
        .orderBy('sessions.id')
        .limit(concerned.limit),
    )
    .returning('userId')
    .execute()
  return rows.map((row) => row.userId)
}

/** Members without a second factor who were not yet notified of this date. */
export async function listUntold(
  db: Database,
  input: Concerned & { requiredFrom: string; limit: number },
): Promise<number[]> {
  const rows = await membersWithout(db, input)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('secondFactorNotices')
            .select('secondFactorNotices.userId')
            .whereRef('secondFactorNotices.userId', '=', 'users.id')
            .where('secondFactorNotices.requiredFrom', '=', input.requiredFrom),
        ),
      ),
    )
    .where('users.bannedAt', 'is', null)
    .orderBy('users.id')
    .limit(input.limit)
    .execute()
  return rows.map((row) => row.id)
}

export async function insertNotices(
  db: Database,
  { userIds, requiredFrom }: { userIds: number[]; requiredFrom: string },
): Promise<void> {
  await db
    .insertInto('secondFactorNotices')
    .values(userIds.map((userId) => ({ userId, requiredFrom })))
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ requiredFrom }))
    .execute()
}
