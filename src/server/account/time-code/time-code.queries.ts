import { type Database, timestamp } from '#server/platform/db/database.ts'

export async function findTimeCode(db: Database, userId: number) {
  return db
    .selectFrom('timeCodes')
    .select(['secret', 'lastStep', 'createdAt'])
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function replaceTimeCode(
  db: Database,
  input: { userId: number; secret: string; lastStep: number },
): Promise<void> {
  await deleteTimeCode(db, input.userId)
  await db
    .insertInto('timeCodes')
    .values({ ...input, createdAt: timestamp() })
    .execute()
}

/** Returns false if this or a later step was used already. Only one of several concurrent calls returns true. */
export async function updateLastStep(
  db: Database,
  { userId, step }: { userId: number; step: number },
): Promise<boolean> {
  const result = await db
    .updateTable('timeCodes')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns true if the member had time codes. */
export async function deleteTimeCode(db: Database, userId: number): Promise<boolean> {
  const result = await db.deleteFrom('timeCodes').where('userId', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}
