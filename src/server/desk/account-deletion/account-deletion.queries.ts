import { sql } from 'kysely'
import { deleteApiTokens } from '#server/account/api-token/api-token.queries.ts'
import { deleteSessions } from '#server/account/auth/auth.queries.ts'
import { deletePasswordResets } from '#server/account/member/member.queries.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { uncountLikes } from './member-traces.queries.ts'

/** A ban ends sessions and API tokens. */
export async function updateToDelete(
  db: DatabaseTransaction,
  input: { userId: number; withComments: boolean },
): Promise<void> {
  const { userId, withComments } = input
  await db
    .updateTable('users')
    .set({
      bannedAt: timestamp(),
      isAdmin: 0,
      deletion: withComments ? 'with-comments' : 'keep-comments',
    })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('sessions').where('userId', '=', userId).execute()
  await db.deleteFrom('passwordResets').where('userId', '=', userId).execute()
}

/** Ends all sessions and tokens. Returns false if the member was banned or is being deleted already. */
export async function updateToDeleteAt(
  db: DatabaseTransaction,
  { userId, deletesAt }: { userId: number; deletesAt: string },
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ deletesAt })
    .where('id', '=', userId)
    .where('bannedAt', 'is', null)
    .where('deletesAt', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return false
  await deleteSessions(db, { userId })
  await deleteApiTokens(db, userId)
  await deletePasswordResets(db, userId)
  return true
}

export async function listDueAccounts(db: Database, now: Date) {
  return selectDueAccounts(db, now).execute()
}

export async function isDueAccount(
  db: DatabaseTransaction,
  { userId, now }: { userId: number; now: Date },
): Promise<boolean> {
  const row = await selectDueAccounts(db, now).where('id', '=', userId).executeTakeFirst()
  return row !== undefined
}

function selectDueAccounts(db: Database, now: Date) {
  return db
    .selectFrom('users')
    .select(['id', 'isAdmin'])
    .where('deletesAt', '<=', timestamp(now))
    .where('bannedAt', 'is', null)
    .where('deletion', 'is', null)
}

export async function findAccountDeletion(
  db: Database,
  userId: number,
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('users')
    .select('deletion')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.deletion ? row.deletion === 'with-comments' : undefined
}

export async function listAccountsInDeletion(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('users').select('id').where('deletion', 'is not', null).execute()
  return rows.map((row) => row.id)
}

/** With replies. */
export async function deleteCommentsOf(db: DatabaseTransaction, userId: number): Promise<void> {
  await db.deleteFrom('comments').where('userId', '=', userId).execute()
}

/**
 * Also corrects counts of likes and subscriptions. Comments on others' videos stay, without a name.
 */
export async function deleteUser(db: DatabaseTransaction, userId: number): Promise<void> {
  await uncountLikes(db, sql`"userId" = ${userId}`)
  await sql`
    UPDATE "users" SET "subscriberCount" = "subscriberCount" - 1
    WHERE "id" IN (SELECT "channelId" FROM "subscriptions" WHERE "subscriberId" = ${userId})`.execute(
    db,
  )
  await db.deleteFrom('users').where('id', '=', userId).execute()
}
