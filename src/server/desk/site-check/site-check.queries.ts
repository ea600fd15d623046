import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { SiteCheck } from '#shared/schemas/desk/storage.schemas.ts'

const CHECKS_KEPT = 5

function selectChecks(db: Database) {
  return db
    .selectFrom('siteChecks')
    .select(['id', 'state', 'startedAt', 'finishedAt', 'percent'])
    .select(['videos', 'files', 'problemCount', 'problems', 'error'])
}

export async function findLastSiteCheck(db: Database): Promise<SiteCheck | undefined> {
  const row = await selectChecks(db).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row && { ...row, problems: JSON.parse(row.problems) as SiteCheck['problems'] }
}

/**
 * Deletes the oldest.
 * @returns its id
 */
export async function insertSiteCheck(db: Database): Promise<number> {
  const { id } = await db
    .insertInto('siteChecks')
    .values({ state: 'running', startedAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('siteChecks')
    .where('id', '<=', id - CHECKS_KEPT)
    .execute()
  return id
}

export async function updateSiteCheck(
  db: Database,
  input: {
    id: number
    change: Partial<Omit<SiteCheck, 'id' | 'problems' | 'startedAt'>> & { problems?: string }
  },
): Promise<void> {
  await db.updateTable('siteChecks').set(input.change).where('id', '=', input.id).execute()
}

/** From an earlier process. */
export async function endInterruptedChecks(db: Database, error: string): Promise<void> {
  await db
    .updateTable('siteChecks')
    .set({ state: 'failed', finishedAt: timestamp(), error })
    .where('state', '=', 'running')
    .execute()
}
