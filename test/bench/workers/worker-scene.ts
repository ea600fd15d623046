import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { hashWorkerToken } from '#server/video/worker/worker.access.ts'
import { insertWorker } from '#server/video/worker/worker.queries.ts'
import { startWorker, type WorkerProcess } from '#test/support/worker-process.ts'

const POLL_MS = 100
const READY_MS_MAX = 60_000

/** The rows of a running site, for what a benchmark asks and changes beside it. */
export type WorkerScene = ReturnType<typeof openWorkerScene>

/** @param dataFolder of a site that runs, with one account at least */
export function openWorkerScene(dataFolder: string, workFolder: string) {
  const db = openDatabase(dataFolder)
  const workers: WorkerProcess[] = []

  /** Starts a worker and waits until it knows its encoder and asks for jobs. @param origin of the site, as the worker reaches it */
  async function addWorker(origin: string, args: string[] = []): Promise<WorkerProcess> {
    const number = workers.length + 1
    const folder = join(workFolder, `worker-${number}`)
    await mkdir(folder, { recursive: true })
    const token = `clutch_worker_bench-${number}`
    const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
    const row = { name: `worker ${number}`, tokenHash: hashWorkerToken(token), createdBy: user.id }
    await db.transaction().execute((transaction) => insertWorker(transaction, row))
    const worker = startWorker({
      ...{ origin, token, args: ['--folder', folder, ...args], isGroup: true },
    })
    workers.push(worker)
    return worker
  }

  return {
    db,
    addWorker,
    /** Puts the ladders of all videos into the queue again, due in so many seconds. @returns when that is */
    async queueLadders(inSeconds = 0): Promise<number> {
      const dueAt = Date.now() + inSeconds * 1000
      const fresh = { state: 'queued', runAfter: timestamp(new Date(dueAt)), failures: 0 } as const
      await db.updateTable('jobs').set(fresh).where('kind', '=', 'ladder').execute()
      return dueAt
    },
    /** Puts the ladders that are done into the queue again. */
    async requeueDone(): Promise<void> {
      const fresh = { state: 'queued', runAfter: timestamp() } as const
      const done = db.updateTable('jobs').set(fresh).where('state', '=', 'done')
      await done.where('kind', '=', 'ladder').execute()
    },
    async countRunning(): Promise<number> {
      const running = db.selectFrom('jobs').select('id').where('state', '=', 'running')
      return (await running.execute()).length
    },
    /** Ends all workers. */
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
      await db.destroy()
    },
  }
}

/** Stops a worker with all that it started, or lets it go on. */
export function signalWorker({ pid }: WorkerProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(-pid, signal)
}

/** @throws Error when it does not say so within a minute */
export async function untilReady(worker: WorkerProcess): Promise<void> {
  const deadline = performance.now() + READY_MS_MAX
  while (!worker.output().includes('working for')) {
    if (performance.now() > deadline) throw new Error(`A worker did not begin: ${worker.output()}`)
    await pause(POLL_MS)
  }
}

/** Waits until no ladder waits or runs. @returns when the last was done, in milliseconds @throws Error for one that failed */
export async function untilLaddersDone(db: Database): Promise<number> {
  for (;;) {
    const rows = await db
      .selectFrom('jobs')
      .select(['state', 'finishedAt', 'error'])
      .where('kind', '=', 'ladder')
      .execute()
    const failed = rows.find(({ state }) => state === 'failed')
    if (failed) throw new Error(`A ladder failed: ${failed.error}`)
    if (rows.every(({ state }) => state === 'done')) {
      return Math.max(...rows.map(({ finishedAt }) => Date.parse(finishedAt ?? '')))
    }
    await pause(POLL_MS)
  }
}
