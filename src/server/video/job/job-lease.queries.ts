import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { listOf, timeIn } from '#server/platform/db/expressions.ts'
import type { JobRow } from '#server/platform/db/tables/job.ts'
import { CLAIMED, type ClaimedJob } from './job.queries.ts'

export type RunningJobRow = ClaimedJob & Pick<JobRow, 'workerId' | 'leaseUntil'>

export async function listRunningJobs(db: Database): Promise<RunningJobRow[]> {
  return selectRunning(db).execute()
}

function selectRunning(db: Database) {
  return db
    .selectFrom('jobs')
    .select([...CLAIMED, 'workerId', 'leaseUntil'])
    .where('state', '=', 'running')
}

/**
 * Their nodes are gone.
 * @param findAgainMs for a worker to reconnect, after the lease
 */
export async function listLapsedJobs(db: Database, findAgainMs: number): Promise<RunningJobRow[]> {
  return selectRunning(db)
    .where((eb) =>
      eb.or([
        eb('leaseUntil', 'is', null),
        eb.and([eb('workerId', 'is', null), eb('leaseUntil', '<=', timeIn(0))]),
        eb('leaseUntil', '<=', timeIn(-findAgainMs)),
      ]),
    )
    .execute()
}

/** `isLapsed`: no node has it. */
export async function findGivenJob(
  db: Database,
  { id, attempt, workerId }: { id: number; attempt: number; workerId: number },
): Promise<(RunningJobRow & { isLapsed: number }) | undefined> {
  return selectRunning(db)
    .select(
      sql<number>`"nodeId" IS NULL OR "leaseUntil" IS NULL OR "leaseUntil" <= ${timeIn(0)}`.as(
        'isLapsed',
      ),
    )
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('workerId', '=', workerId)
    .executeTakeFirst()
}

export async function isJobDone(
  db: Database,
  { id, attempt, workerId }: { id: number; attempt: number; workerId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('workerId', '=', workerId)
    .where('state', '=', 'done')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns undefined when another node was faster, or the job's own is back */
export async function takeOverJob(
  db: Database,
  { job, nodeId, leaseMs }: { job: RunningJobRow; nodeId: string; leaseMs: number },
): Promise<ClaimedJob | undefined> {
  return db
    .updateTable('jobs')
    .set({ nodeId, leaseUntil: timeIn(leaseMs) })
    .where('id', '=', job.id)
    .where('attempt', '=', job.attempt)
    .where('state', '=', 'running')
    .where('nodeId', 'is not distinct from', job.nodeId)
    .where('leaseUntil', 'is not distinct from', job.leaseUntil)
    .returning(CLAIMED)
    .executeTakeFirst()
}

/** @returns those that the node still has */
export async function renewLeases(
  db: Database,
  { nodeId, ids, leaseMs }: { nodeId: string; ids: number[]; leaseMs: number },
): Promise<Pick<ClaimedJob, 'id' | 'attempt'>[]> {
  return db
    .updateTable('jobs')
    .set({ leaseUntil: timeIn(leaseMs) })
    .where('id', 'in', listOf(ids))
    .where('nodeId', '=', nodeId)
    .where('state', '=', 'running')
    .returning(['id', 'attempt'])
    .execute()
}
