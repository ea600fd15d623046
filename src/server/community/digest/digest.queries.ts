import type { Database } from '#server/platform/db/database.ts'
import type { DigestsTable } from '#server/platform/db/tables/mail.ts'

export async function findDigest(db: Database, userId: number) {
  return db
    .selectFrom('digests')
    .select(['every', 'nextAt', 'lastId'])
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function saveDigest(db: Database, digest: DigestsTable): Promise<void> {
  const { userId: _, ...change } = digest
  await db
    .insertInto('digests')
    .values(digest)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(change))
    .execute()
}

export async function deleteDigest(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('digests').where('userId', '=', userId).execute()
}

export async function findLastNotificationOf(db: Database, userId: number): Promise<number> {
  const { id } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(id ?? 0)
}

/** Due summaries of members whose address is verified and was not refused. */
export async function listDueDigests(db: Database, { now, limit }: { now: string; limit: number }) {
  return db
    .selectFrom('digests')
    .innerJoin('users', 'users.id', 'digests.userId')
    .select(['digests.userId', 'digests.every', 'digests.nextAt', 'digests.lastId'])
    .where('digests.nextAt', '<=', now)
    .where('users.bannedAt', 'is', null)
    .where('users.deletion', 'is', null)
    .where('users.emailVerifiedAt', 'is not', null)
    .where('users.emailRefusedAt', 'is', null)
    .orderBy('digests.nextAt')
    .limit(limit)
    .execute()
}

/** @returns false if another node was first, or the member changed the setting */
export async function moveDigest(
  db: Database,
  input: { userId: number; was: string; nextAt: string; lastId: number },
): Promise<boolean> {
  const { userId, was, nextAt, lastId } = input
  const result = await db
    .updateTable('digests')
    .set({ nextAt, lastId })
    .where('userId', '=', userId)
    .where('nextAt', '=', was)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
