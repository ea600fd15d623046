import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { EmailVerificationsTable } from '#server/platform/db/tables/mail.ts'

/** Excludes banned members and members whose account is being deleted, who get no email. */
export async function findRecipient(db: Database, userId: number | null) {
  if (userId === null) return undefined
  return db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'email', 'isAdmin', 'emailVerifiedAt'])
    .select('emailRefusedAt')
    .where('id', '=', userId)
    .where('bannedAt', 'is', null)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}

/** Earlier links keep working, because people may open the first email after requesting another one. */
export async function insertVerification(
  db: Database,
  verification: EmailVerificationsTable,
): Promise<void> {
  await db.insertInto('emailVerifications').values(verification).execute()
}

/** Returns undefined if the address of the account has changed since. */
export async function findVerification(db: Database, tokenHash: string) {
  return db
    .selectFrom('emailVerifications')
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'emailVerifications.userId')
        .onRef('users.email', '=', 'emailVerifications.address'),
    )
    .select(['users.id', 'users.username'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', timestamp())
    .where('users.bannedAt', 'is', null)
    .executeTakeFirst()
}

export async function deleteVerifications(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('emailVerifications').where('userId', '=', userId).execute()
}

export async function deleteExpiredVerifications(db: Database): Promise<void> {
  await db.deleteFrom('emailVerifications').where('expiresAt', '<=', timestamp()).execute()
}

export async function updateVerified(
  db: Database,
  { userId, isVerified }: { userId: number; isVerified: boolean },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ emailVerifiedAt: isVerified ? timestamp() : null, emailRefusedAt: null })
    .where('id', '=', userId)
    .execute()
}
