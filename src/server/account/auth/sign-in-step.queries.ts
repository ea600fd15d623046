import type { Database } from '#server/platform/db/database.ts'
import type { SignInStepsTable } from '#server/platform/db/tables/account.ts'

export async function insertStep(db: Database, step: SignInStepsTable): Promise<void> {
  await db.insertInto('signInSteps').values(step).execute()
}

export async function findStep(db: Database, input: { id: string; kind: string; now: string }) {
  return db
    .selectFrom('signInSteps')
    .select(['id', 'userId', 'data', 'expiresAt'])
    .where('id', '=', input.id)
    .where('kind', '=', input.kind)
    .where('expiresAt', '>', input.now)
    .executeTakeFirst()
}

/** Returns true for only one of several concurrent calls. */
export async function updateApprovedStep(
  db: Database,
  { id, userId, data }: { id: string; userId: number; data: string },
): Promise<boolean> {
  const result = await db
    .updateTable('signInSteps')
    .set({ userId, data })
    .where('id', '=', id)
    .where('userId', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns true for only one of several concurrent calls. */
export async function deleteStep(db: Database, id: string): Promise<boolean> {
  const result = await db.deleteFrom('signInSteps').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deleteStepsOf(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('signInSteps').where('userId', '=', userId).execute()
}

export async function deleteExpiredSteps(db: Database, now: string): Promise<void> {
  await db.deleteFrom('signInSteps').where('expiresAt', '<=', now).execute()
}
