import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, CommandError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  OutOfMemoryError,
  UnplayableSourceError,
} from '../video/processing/media-errors.ts'
import type { MediaProgress } from '../video/processing/tasks/media-task.ts'
import { runMediaTask } from '../video/processing/tasks/run-media-task.ts'
import type { Failure, Order } from '../video/worker/worker-protocol.ts'
import { receiveInput, sendOutputs } from './job-files.ts'
import { JobLostError, RefusedCallError, type SiteConnection } from './site-connection.ts'
import { NoRoomError, requireRoom } from './worker-folder.ts'

const TIMEOUT_MS = 12 * 60 * 60 * 1000
const STALL_MS = 5 * 60 * 1000
/** Short: a cancelled job ends soon. */
const REPORT_MS = 1000
/** No busy loop; for disk space an admin has to act. */
const FAILED_REST_MS = 5000
const NO_ROOM_REST_MS = 5 * 60 * 1000
const RETURN_MS = 5000
const DIAGNOSTICS_MAX = 8000

type JobEnd = { text: string; restMs: number }

type Work = {
  order: Order
  /** Temporary folder of one job; deleted when the job ends. */
  folder: string
  parentFolder: string
  /** Aborts to return the job. */
  signal: AbortSignal
}

/**
 * Always reports the outcome.
 * @returns sentence for the terminal, and pause before the next job
 * @throws CommandError when the site no longer knows this worker
 */
export async function doJob(site: SiteConnection, work: Work): Promise<JobEnd> {
  const { order, folder, parentFolder, signal } = work
  const path = `jobs/${order.jobId}/${order.attempt}`
  const lost = new AbortController()
  const over = AbortSignal.any([signal, lost.signal])
  failpoint('worker.ordered')
  const laps = startLaps()
  const reports = startReports(site, { path, signal: over, onLost: (error) => lost.abort(error) })
  try {
    const result = await produce(site, {
      ...{ order, folder, parentFolder, path },
      signal: over,
      onProgress: reports.set,
      onFetched: laps.end,
      onMade: laps.end,
    })
    failpoint('worker.sent')
    reports.stop()
    await site.ask(`${path}/done`, { json: { result }, signal: over })
    failpoint('worker.done')
    laps.end()
    return { text: `done (${laps.describe(['to fetch', 'of work', 'to hand in'])})`, restMs: 0 }
  } catch (error) {
    const reason = lost.signal.aborted ? lost.signal.reason : error
    if (reason instanceof CommandError) throw reason
    if (reason instanceof JobLostError) {
      return { text: `abandoned: ${reason.message}`, restMs: 0 }
    }
    return await explainToSite(site, {
      ...{ path, error: reason, parentFolder, isReturned: signal.aborted },
    })
  } finally {
    reports.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function produce(
  site: SiteConnection,
  input: Work & {
    path: string
    onProgress: (progress: MediaProgress) => void
    onFetched: () => void
    onMade: () => void
  },
): Promise<object> {
  const { order, folder, parentFolder, path, signal, onProgress, onFetched, onMade } = input
  const [inputs, outputs] = [join(folder, 'in'), join(folder, 'out')]
  await requireRoom(parentFolder, order.inputs)
  await mkdir(inputs, { recursive: true })
  await mkdir(outputs)
  for (const { name, bytes } of order.inputs) {
    await receiveInput(site, { folder: inputs, path, signal, name, bytes })
  }
  onFetched()
  failpoint('worker.fetched')
  const options = { timeoutMs: TIMEOUT_MS, stallMs: STALL_MS, signal, onProgress }
  const transfer = { folder: outputs, path, signal }
  const { task } = order
  const sourcePath = join(inputs, task.source)
  if (task.kind === 'transcode') {
    const { kind, output, quickShortSide, encoder } = task
    const outputPath = join(outputs, output)
    const quick = quickShortSide === undefined ? {} : { quickShortSide }
    const result = await runMediaTask({ kind, sourcePath, outputPath, encoder, ...quick }, options)
    onMade()
    failpoint('worker.made')
    await sendOutputs(site, { ...transfer, names: [output] })
    return result
  }
  const { kind, playable, thumbnail, heights, shareBytesMax, encoder } = task
  const playablePath = join(inputs, playable)
  const thumbnailPath = thumbnail && join(inputs, thumbnail)
  const paths = { sourcePath, playablePath, thumbnailPath, outputFolder: outputs }
  const result = await runMediaTask({ kind, ...paths, heights, shareBytesMax, encoder }, options)
  onMade()
  failpoint('worker.made')
  await sendOutputs(site, { ...transfer, names: result.files.map(({ name }) => name) })
  return result
}

function startLaps() {
  let begunAt = performance.now()
  const seconds: number[] = []
  return {
    end(): void {
      const now = performance.now()
      seconds.push(Math.round((now - begunAt) / 1000))
      begunAt = now
    },
    describe: (names: string[]) => names.map((name, at) => `${seconds[at]} s ${name}`).join(', '),
  }
}

function startReports(
  site: SiteConnection,
  input: { path: string; signal: AbortSignal; onLost: (error: unknown) => void },
) {
  const { path, signal, onLost } = input
  let progress: MediaProgress | undefined
  let isUnderWay = false
  let isOver = false
  const report = async () => {
    if (isUnderWay || signal.aborted) return
    isUnderWay = true
    await site
      .ask(`${path}/progress`, { json: () => ({ progress }), signal })
      .catch((error: unknown) => {
        // A rejected report does not end the job.
        if (!signal.aborted && !isOver && !(error instanceof RefusedCallError)) onLost(error)
      })
    isUnderWay = false
  }
  const timer = setInterval(() => void report(), REPORT_MS)
  return {
    set: (latest: MediaProgress) => {
      progress = latest
    },
    stop(): void {
      isOver = true
      clearInterval(timer)
    },
  }
}

async function explainToSite(
  site: SiteConnection,
  input: { path: string; error: unknown; parentFolder: string; isReturned: boolean },
): Promise<JobEnd> {
  const { path, error, parentFolder, isReturned } = input
  const failure: Failure = isReturned ? RETURNED : describe(error, parentFolder)
  const asking = { json: failure, signal: AbortSignal.timeout(RETURN_MS), isLast: true }
  await site.ask(`${path}/failed`, asking).catch(() => {})
  if (failure.reason === 'returned') return { text: 'returned', restMs: FAILED_REST_MS }
  if (failure.reason === 'no-room') {
    const text = `returned (${failure.diagnostics} It pauses for 5 minutes.)`
    return { text, restMs: NO_ROOM_REST_MS }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { text: `failed: ${message}`, restMs: FAILED_REST_MS }
}

const RETURNED: Failure = { reason: 'returned', diagnostics: '' }

function describe(error: unknown, parentFolder: string): Failure {
  if (error instanceof MediaInterruptedError) return RETURNED
  if (error instanceof NoRoomError) return { reason: 'no-room', diagnostics: error.message }
  if (isOutOfSpace(error))
    return { reason: 'no-room', diagnostics: `There is no room in ${parentFolder}.` }
  const text = error instanceof MediaFailedError ? error.diagnostics : String(error)
  return { reason: nameReason(error), diagnostics: text.slice(-DIAGNOSTICS_MAX) }
}

function nameReason(error: unknown): Failure['reason'] {
  if (error instanceof OutOfMemoryError) return 'out-of-memory'
  return error instanceof UnplayableSourceError ? 'unplayable' : 'failed'
}

function isOutOfSpace(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return (error instanceof AppError && error.kind === 'no-space') || code === 'ENOSPC'
}
