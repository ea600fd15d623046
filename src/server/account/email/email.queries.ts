import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { EmailVerificationsTable } from '#server/platform/db/tables/mail.ts'

/** Neither banned members nor those whose account is being deleted get email. */
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

/** Older links keep working: after asking for another, people may open the first. */
export async function insertVerification(
  db: Database,
  verification: EmailVerificationsTable,
): Promise<void> {
  await db.insertInto('emailVerifications').values(verification).execute()
}

/** Undefined if the account has another address now. */
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
