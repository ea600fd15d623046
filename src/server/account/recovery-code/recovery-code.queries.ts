import { type Database, timestamp } from '#server/platform/db/database.ts'

export async function countRecoveryCodes(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertRecoveryCodes(
  db: Database,
  { userId, hashes }: { userId: number; hashes: string[] },
): Promise<void> {
  const createdAt = timestamp()
  await db
    .insertInto('recoveryCodes')
    .values(hashes.map((codeHash) => ({ userId, codeHash, createdAt })))
    .execute()
}

/** Returns true for only one of several concurrent calls. */
export async function deleteRecoveryCode(
  db: Database,
  { userId, codeHash }: { userId: number; codeHash: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deleteRecoveryCodes(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
}
