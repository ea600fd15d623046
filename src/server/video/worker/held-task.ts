import { basename, dirname } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import { timeIn } from '#server/platform/db/expressions.ts'
import { AppError } from '#server/platform/errors.ts'
import { type ClaimedJob, updateClaimedJob } from '../job/job.queries.ts'
import { SilentWorkerError } from '../job/job-errors.ts'
import { MediaFailedError, MediaInterruptedError } from '../processing/media-errors.ts'
import type {
  LadderResult,
  LadderTask,
  MediaProgress,
  TranscodeResult,
  TranscodeTask,
} from '../processing/tasks/media-task.ts'
import type { RunOptions } from '../processing/tasks/run-media-task.ts'

export type RemoteTask = TranscodeTask | LadderTask
export type RemoteResult = TranscodeResult | LadderResult

/** A task that a worker has: the server waits for its result as it would for a child process. */
export type HeldTask = {
  job: ClaimedJob
  workerId: number
  task: RemoteTask
  /** Where its outputs go. */
  folder: string
  /** What has arrived of them, by their names. */
  outputs: Map<string, ArrivingOutput>
  /** Aborts when it is over, whatever the reason. */
  over: AbortSignal
  /** The worker is there. */
  renew: () => void
  /** Something was got done: bytes travelled, or the work itself. */
  moved: () => void
  report: (progress: MediaProgress) => void
  succeed: (result: RemoteResult) => void
  fail: (error: Error) => void
  /** Writes to its folder, which nothing does after the result was handed in, or the task is over. */
  write: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** No output may follow. @throws AppError `conflict` the second time */
  handIn: () => Promise<void>
}

/** An output of which pieces arrive in any order. */
export type ArrivingOutput = {
  /** Where it ends as far as is known: its length, once all of it is there. */
  end: number
  /** How long each written piece is, by where it begins. */
  pieces: Map<number, number>
}

/**
 * A job that a worker was given, until it is told of it: its files may have to be fetched from the store before, which may
 * take longer than a call is kept open.
 */
export type ComingTask = {
  workerId: number
  /** Undefined when there is nothing to do after all. */
  task: Promise<HeldTask | undefined>
  /** One of the worker's calls waits for it. */
  isAwaited: boolean
}

/** By the ids of their jobs. */
export type HeldTasks = Map<number, HeldTask>

type Deps = { db: Database; held: HeldTasks; leaseMs: number }
type Holding = {
  job: ClaimedJob
  workerId: number
  task: RemoteTask
  options: RunOptions
  /** What is left of a lease that began earlier. */
  leftMs?: number | undefined
}

/** Of a lease; after so much of it has passed the row is told that it goes on. */
const NOTED_PART = 1 / 4

/**
 * Has a task done by a worker.
 * @returns what it hands in, once that was found right
 * @throws MediaInterruptedError when it is aborted, SilentWorkerError after a lease without a word of the worker
 * @throws MediaFailedError when it takes too long or comes to a standstill; what the worker reports
 */
export async function holdTask(deps: Deps, holding: Holding): Promise<RemoteResult> {
  const { held } = deps
  const { job, workerId, task, options } = holding
  const { promise, resolve, reject } = Promise.withResolvers<RemoteResult>()
  const over = new AbortController()
  const clocks = startClocks(deps, holding, reject)
  const writes = new Set<Promise<unknown>>()
  let isHandedIn = false
  const onAbort = () => reject(new MediaInterruptedError())
  if (options.signal?.aborted) onAbort()
  options.signal?.addEventListener('abort', onAbort)
  const mine: HeldTask = {
    job,
    workerId,
    task,
    folder: task.kind === 'ladder' ? task.outputFolder : dirname(task.outputPath),
    outputs: new Map(),
    over: over.signal,
    renew: clocks.renew,
    moved: clocks.moved,
    report: reportRising(options, clocks.moved),
    succeed: resolve,
    fail: reject,
    async write(work) {
      if (over.signal.aborted || isHandedIn) throw notHeld()
      const writing = work()
      writes.add(writing)
      return writing.finally(() => writes.delete(writing))
    },
    async handIn() {
      if (isHandedIn) throw notHeld()
      isHandedIn = true
      await Promise.allSettled(writes)
    },
  }
  held.set(job.id, mine)
  try {
    return await promise
  } finally {
    // Another attempt may be a worker's by now.
    if (held.get(job.id) === mine) held.delete(job.id)
    over.abort()
    clocks.stop()
    options.signal?.removeEventListener('abort', onAbort)
    await Promise.allSettled(writes)
  }
}

function startClocks(
  { db, leaseMs }: Deps,
  { job, options, leftMs = leaseMs }: Holding,
  giveUp: (error: Error) => void,
) {
  const end = () => giveUp(new SilentWorkerError())
  let lease = setTimeout(end, leftMs)
  let isOver = false
  const late = () => giveUp(new MediaFailedError('The work on this file took too long.'))
  const timeout = setTimeout(late, options.timeoutMs)
  const still = () => giveUp(new MediaFailedError('The work on this file came to a standstill.'))
  const stall = options.stallMs === undefined ? undefined : setTimeout(still, options.stallMs)
  let notedAt = Date.now()
  return {
    renew() {
      if (isOver) return
      clearTimeout(lease)
      lease = setTimeout(end, leaseMs)
      const now = Date.now()
      if (now - notedAt < leaseMs * NOTED_PART) return
      notedAt = now
      updateClaimedJob(db, { job, change: { leaseUntil: timeIn(leaseMs) } })
        .then((isOurs) => isOurs || giveUp(new MediaInterruptedError()))
        .catch(() => {})
    },
    moved: () => void stall?.refresh(),
    stop() {
      isOver = true
      clearTimeout(lease)
      clearTimeout(timeout)
      clearTimeout(stall)
    },
  }
}

/** A worker that says the same again has got nothing done. */
function reportRising({ onProgress }: RunOptions, moved: () => void) {
  let latest = 0
  return (progress: MediaProgress) => {
    if (progress.percent > latest) moved()
    latest = Math.max(latest, progress.percent)
    onProgress?.({ ...progress, percent: latest })
  }
}

export function notHeld(): AppError {
  return new AppError(
    'conflict',
    'This machine does not have that job any more: it was cancelled, or given to another one.',
  )
}

/** The files that a task reads, by the names that a worker knows them by. */
export function inputsOf(task: RemoteTask): Map<string, string> {
  const paths =
    task.kind === 'ladder'
      ? [task.sourcePath, task.playablePath, ...(task.thumbnailPath ? [task.thumbnailPath] : [])]
      : [task.sourcePath]
  return new Map(paths.map((path) => [basename(path), path]))
}
