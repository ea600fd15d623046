import { type Database, timestamp } from '#server/platform/db/database.ts'

/** Neither banned members nor those whose account is being deleted get e-mail. */
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

/** @param input.keepsOlder for an e-mail that may have been delivered before */
export async function insertVerification(
  db: Database,
  input: {
    tokenHash: string
    userId: number
    address: string
    expiresAt: string
    keepsOlder: boolean
  },
): Promise<void> {
  const { keepsOlder, ...row } = input
  if (!keepsOlder) await deleteVerifications(db, row.userId)
  await db.insertInto('emailVerifications').values(row).execute()
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
