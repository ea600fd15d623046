import { access, constants } from 'node:fs/promises'
import { relative } from 'node:path'
import { busOf } from '#server/platform/cluster/cluster.ts'
import { timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { readStoreProblem } from '#server/platform/files/store-problem.ts'
import { findNextDueTime } from '#server/video/job/job-queue.queries.ts'

export const PARTS = ['database', 'disk', 'store', 'jobs'] as const

export type Problem = { part: (typeof PARTS)[number]; reason: string }

/** An answer serves all polls of this time. */
const REUSE_MS = 1000
/** An idle worker takes a due job within a minute. */
const STUCK_MS = 2 * 60_000

const BUS_IS_DOWN = 'The message bus between the nodes of this site is down.'

type Deps = Pick<AppDeps, 'config' | 'db' | 'jobs' | 'disk' | 'media' | 'presence'>

/** At most once a second; empty when ready. */
export function createReadiness(deps: Deps): () => Promise<Problem[]> {
  let last: { at: number; problems: Promise<Problem[]> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at >= REUSE_MS) last = { at: now, problems: findProblems() }
    return last.problems
  }

  async function findProblems(): Promise<Problem[]> {
    const found = [
      findDiskProblem(deps),
      findStoreProblem(deps),
      findNodeProblem(deps),
      findWorkProblem(deps),
    ]
    return (await Promise.all(found)).filter((problem) => problem !== undefined)
  }
}

export function describeProblems(problems: Problem[]): string | null {
  return problems.length > 0 ? problems.map(({ reason }) => reason).join(' ') : null
}

async function findStoreProblem({ media }: Deps): Promise<Problem | undefined> {
  const reason = readStoreProblem(media)
  return reason === undefined ? undefined : { part: 'store', reason }
}

async function findNodeProblem({ db, presence }: Deps): Promise<Problem | undefined> {
  const reason = presence.problem() ?? (busOf(db).isUp() ? undefined : BUS_IS_DOWN)
  return reason === undefined ? undefined : { part: 'database', reason }
}

async function findDiskProblem({ config, disk }: Deps): Promise<Problem | undefined> {
  const problem = (reason: string): Problem => ({ part: 'disk', reason })
  const { dataFolder } = config
  for (const folder of [dataFolder, ...Object.values(disk.folders)]) {
    const failure = await access(folder, constants.W_OK).catch((error) => error)
    const name = `DATA_DIR/${relative(dataFolder, folder)}`.replace(/\/$/, '')
    if (failure) return problem(`${name} cannot be written to: ${failure.code}.`)
  }
  const free = await disk.freeBytes()
  if (free <= 0) return problem('The disk of DATA_DIR is full, but for what is kept free.')
  return undefined
}

/** After a database failure the queue is unknown. */
async function findWorkProblem({ db, jobs }: Deps): Promise<Problem | undefined> {
  let dueSince: string | undefined
  try {
    dueSince = await findNextDueTime(db)
  } catch (error) {
    const { message } = error as Error
    return { part: 'database', reason: `The database cannot be read: ${message}.` }
  }
  if (!jobs.isStarted()) return { part: 'jobs', reason: 'The job queue has not been started.' }
  const isStuck = dueSince !== undefined && dueSince <= timestamp(new Date(Date.now() - STUCK_MS))
  // Absent workers are no failure of the site.
  if (!isStuck || jobs.countRunning() > 0 || !jobs.preparesItself) return undefined
  return { part: 'jobs', reason: `A job waits since ${dueSince}, but none is being done.` }
}
