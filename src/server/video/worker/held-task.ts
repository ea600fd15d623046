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

export type HeldTask = {
  job: ClaimedJob
  workerId: number
  task: RemoteTask
  folder: string
  outputs: Map<string, ArrivingOutput>
  /** Aborts at the task's end. */
  over: AbortSignal
  renew: () => void
  /** Called on progress: bytes transferred, or frames encoded. */
  noteProgress: () => void
  report: (progress: MediaProgress) => void
  succeed: (result: RemoteResult) => void
  fail: (error: Error) => void
  /** Serializes writes to the folder; rejects them after the end. */
  write: <Result>(work: () => Promise<Result>) => Promise<Result>
  /**
   * Rejects further outputs.
   * @throws `conflict` the second time
   */
  handIn: () => Promise<void>
}

export type ArrivingOutput = {
  /** The greatest end of a piece. */
  end: number
  pieces: Map<number, number>
}

/** Fetching its files may outlast a call. */
export type ComingTask = {
  workerId: number
  /** Undefined when the job is gone. */
  task: Promise<HeldTask | undefined>
  isAwaited: boolean
}

export type HeldTasks = Map<number, HeldTask>

type Deps = { db: Database; held: HeldTasks; leaseMs: number }
type Holding = {
  job: ClaimedJob
  workerId: number
  task: RemoteTask
  options: RunOptions
  leftMs?: number | undefined
}

const NOTED_PART = 1 / 4

/**
 * @returns the verified result
 * @throws MediaInterruptedError when aborted, SilentWorkerError when the lease expires,
 * MediaFailedError on timeout or stall, and the worker's errors
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
    noteProgress: clocks.noteProgress,
    report: reportRising(options, clocks.noteProgress),
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
    // Another attempt may hold the job by now.
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
    noteProgress: () => void stall?.refresh(),
    stop() {
      isOver = true
      clearTimeout(lease)
      clearTimeout(timeout)
      clearTimeout(stall)
    },
  }
}

/** Repeated figures are no progress. */
function reportRising({ onProgress }: RunOptions, noteProgress: () => void) {
  let latest = 0
  return (progress: MediaProgress) => {
    if (progress.percent > latest) noteProgress()
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

export function inputsOf(task: RemoteTask): Map<string, string> {
  const paths =
    task.kind === 'ladder'
      ? [task.sourcePath, task.playablePath, ...(task.thumbnailPath ? [task.thumbnailPath] : [])]
      : [task.sourcePath]
  return new Map(paths.map((path) => [basename(path), path]))
}
