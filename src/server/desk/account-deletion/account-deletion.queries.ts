import { sql } from 'kysely'
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
