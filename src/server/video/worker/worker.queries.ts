import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'

const ERROR_MAX = 500

export async function listWorkers(db: Database) {
  return db
    .selectFrom('workers')
    .leftJoin('users', 'users.id', 'workers.createdBy')
    .select(['workers.id', 'workers.name', 'workers.createdAt', 'lastSeenAt', 'version', 'encoder'])
    .select(['drainedAt', 'jobsDone', 'jobsFailed', 'lastError', 'lastErrorAt'])
    .select('users.username as createdByName')
    .orderBy('workers.id', 'desc')
    .execute()
}

export async function listSeenWorkers(db: Database, since: string): Promise<number[]> {
  const rows = await db
    .selectFrom('workers')
    .select('id')
    .where('drainedAt', 'is', null)
    .where('lastSeenAt', '>=', since)
    .execute()
  return rows.map((row) => row.id)
}

export async function countJobsOfWorkers(db: Database): Promise<Map<number | null, number>> {
  const rows = await db
    .selectFrom('jobs')
    .select('workerId')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'running')
    .groupBy('workerId')
    .execute()
  return new Map(rows.map((row) => [row.workerId, row.count]))
}

export async function countWorkers(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('workers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertWorker(
  db: DatabaseTransaction,
  worker: { name: string; tokenHash: string; createdBy: number },
): Promise<{ id: number }> {
  return db
    .insertInto('workers')
    .values({ ...worker, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
}

export async function findWorker(db: Database, id: number) {
  return db
    .selectFrom('workers')
    .select(['id', 'name', 'encoder', 'drainedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findWorkerByToken(db: Database, tokenHash: string) {
  return db
    .selectFrom('workers')
    .select(['id', 'name', 'encoder', 'drainedAt', 'lastSeenAt'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

export async function deleteWorker(db: Database, id: number) {
  return db.deleteFrom('workers').where('id', '=', id).returning('name').executeTakeFirst()
}

export async function updateDrained(
  db: Database,
  { id, drainedAt }: { id: number; drainedAt: string | null },
) {
  return db
    .updateTable('workers')
    .set({
      drainedAt,
      ...(drainedAt === null && { refusals: 0, lastError: null, lastErrorAt: null }),
    })
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
}

export async function updateWorkerSeen(
  db: Database,
  { id, ...facts }: { id: number; version?: string; encoder?: string },
): Promise<void> {
  const change = { lastSeenAt: timestamp(), ...facts }
  await db.updateTable('workers').set(change).where('id', '=', id).execute()
}

export async function updateWorkerSuccess(db: Database, id: number): Promise<void> {
  await db
    .updateTable('workers')
    .set({ jobsDone: sql`"jobsDone" + 1`, refusals: 0 })
    .where('id', '=', id)
    .execute()
}

export async function updateWorkerError(
  db: Database,
  { id, error }: { id: number; error: string },
): Promise<void> {
  await db.updateTable('workers').set(errorNow(error)).where('id', '=', id).execute()
}

function errorNow(error: string) {
  return { lastError: error.slice(0, ERROR_MAX), lastErrorAt: timestamp() }
}

/** Drained after `drainAfter` in a row. */
export async function updateWorkerFailure(
  db: Database,
  input: { id: number; error: string; isRefused: boolean; drainAfter: number },
): Promise<void> {
  const error = errorNow(input.error)
  const refused = {
    refusals: sql<number>`"refusals" + 1`,
    drainedAt: sql<string>`
      CASE WHEN "refusals" + 1 >= ${input.drainAfter} THEN coalesce("drainedAt", ${error.lastErrorAt}) ELSE "drainedAt" END`,
  }
  await db
    .updateTable('workers')
    .set({
      jobsFailed: sql`"jobsFailed" + 1`,
      ...error,
      ...(input.isRefused && refused),
    })
    .where('id', '=', input.id)
    .execute()
}
