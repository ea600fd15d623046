import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { NewestVersion } from './newest-version.ts'

type Versions = { lastRunVersion: string | null; previousVersion: string | null }

export function findVersions(db: Database): Promise<Versions> {
  return db
    .selectFrom('siteSettings')
    .select(['lastRunVersion', 'previousVersion'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
}

export async function updateVersions(db: Database, versions: Partial<Versions>): Promise<void> {
  await db.updateTable('siteSettings').set(versions).where('id', '=', 1).execute()
}

export async function findUpdateNotice(db: Database) {
  const row = await db
    .selectFrom('siteSettings')
    .select(['asksForUpdates', 'updateAddress', 'updateAskedAt', 'updateAnswer'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return {
    isOn: row.asksForUpdates === 1 && row.updateAddress !== '',
    address: row.updateAddress,
    askedAt: row.updateAskedAt,
    answer: row.updateAnswer === null ? null : (JSON.parse(row.updateAnswer) as NewestVersion),
  }
}

export async function noteAsked(db: Database, now: Date): Promise<void> {
  const updateAskedAt = timestamp(now)
  await db.updateTable('siteSettings').set({ updateAskedAt }).where('id', '=', 1).execute()
}

/** Unless the address changed meanwhile. */
export async function updateAnswer(
  db: Database,
  { address, answer }: { address: string; answer: NewestVersion | undefined },
): Promise<void> {
  await db
    .updateTable('siteSettings')
    .set({ updateAnswer: answer ? JSON.stringify(answer) : null })
    .where('id', '=', 1)
    .where('updateAddress', '=', address)
    .execute()
}
