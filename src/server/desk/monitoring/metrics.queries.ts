import type { Database } from '#server/platform/db/database.ts'

export async function listJobStates(db: Database) {
  return db
    .selectFrom('jobs')
    .select((eb) => [
      'state',
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('createdAt').as('createdAt'),
      eb.fn.min('startedAt').as('startedAt'),
    ])
    .where('state', 'in', ['queued', 'running', 'failed'])
    .groupBy('state')
    .execute()
}

export async function countUploads(db: Database) {
  return db
    .selectFrom('uploads')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('state', 'in', ['receiving', 'finalizing'])
    .groupBy('state')
    .execute()
}

export async function sumViews(db: Database): Promise<number> {
  const { views } = await db
    .selectFrom('siteDays')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('views'), eb.lit(0)).as('views'))
    .executeTakeFirstOrThrow()
  return views
}
