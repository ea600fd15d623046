import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { JobKind } from '../video/job/job-kinds.ts'
import { chooseEncoder } from '../video/processing/tasks/choose-encoder.ts'
import {
  claimedSchema,
  type Order,
  PROTOCOL,
  welcomeSchema,
} from '../video/worker/worker-protocol.ts'
import { doJob } from './do-job.ts'
import { watchIdleness } from './idle-watch.ts'
import { connectToSite, type SiteConnection } from './site-connection.ts'
import { openWorkerFolder } from './worker-folder.ts'

export type WorkerOptions = {
  origin: string
  token: string
  version: string
  places: number
  kinds: JobKind[]
  /** Pixels of the shorter side. */
  maxHeight: number | undefined
  idleOnly: boolean
  parentFolder: string
  say: (line: string) => void
  stopping: AbortSignal
}

const REST_MS = 200
const DRAINED =
  'The site gives this worker no further jobs: it was drained in the desk, under Workers.'

/** Returns running jobs at its end. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { say, stopping, places } = options
  const folder = await openWorkerFolder(options.parentFolder)
  const running = new Set<AbortController>()
  const watch = options.idleOnly ? watchMachine(running, say) : undefined
  try {
    const site = connectToSite({ ...options, onTrouble: say })
    const encoder = await chooseEncoder()
    const json = { protocol: PROTOCOL, version: options.version, encoder }
    const greeting = await site.ask('hello', { json, signal: stopping, isFirst: true })
    const { name } = welcomeSchema.parse(await greeting.json())
    say(`This is ${name}, working for ${options.origin} with ${encoder}.`)
    const state: State = {
      folder,
      running,
      isDrained: false,
      mayWork: () => watch?.isIdle() ?? true,
    }
    const works = Array.from({ length: places }, () => workUntilStopped(site, options, state))
    // After a failure the other jobs are completed.
    const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  } finally {
    watch?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function watchMachine(running: Set<AbortController>, say: WorkerOptions['say']) {
  return watchIdleness({
    isWorking: () => running.size > 0,
    onBusy: () => {
      say('Something else needs this machine: it rests.')
      for (const job of running) job.abort()
    },
  })
}

type State = {
  folder: string
  running: Set<AbortController>
  mayWork: () => boolean
  isDrained: boolean
  isOver?: boolean
}

async function workUntilStopped(
  site: SiteConnection,
  options: WorkerOptions,
  state: State,
): Promise<void> {
  const { stopping } = options
  while (!stopping.aborted && !state.isOver) {
    const begunAt = Date.now()
    const order = state.mayWork() ? await claim(site, options, state) : undefined
    const rest = order ? await work(site, options, { state, order }) : 0
    const restMs = Math.max(rest, REST_MS - (Date.now() - begunAt))
    if (restMs > 0) await pause(restMs, undefined, { signal: stopping }).catch(() => {})
  }
}

async function claim(
  site: SiteConnection,
  { kinds, maxHeight, stopping, say }: WorkerOptions,
  state: State,
): Promise<Order | null> {
  try {
    const json = { protocol: PROTOCOL, kinds, ...(maxHeight !== undefined && { maxHeight }) }
    const answer = await site.ask('claim', { json, signal: stopping })
    const { order, isDrained } = claimedSchema.parse(await answer.json())
    if (isDrained !== state.isDrained) {
      state.isDrained = isDrained
      say(isDrained ? DRAINED : 'The site gives this worker jobs again.')
    }
    return order
  } catch (error) {
    if (stopping.aborted) return null
    state.isOver = true
    throw error
  }
}

async function work(
  site: SiteConnection,
  { parentFolder, stopping, say }: WorkerOptions,
  { state, order }: { state: State; order: Order },
): Promise<number> {
  const { folder, running } = state
  const { jobId, attempt, task } = order
  const job = new AbortController()
  running.add(job)
  const what = `${task.kind} ${jobId}`
  say(`${what}: begun, with ${task.encoder}`)
  const begunAt = performance.now()
  const { text, restMs } = await doJob(site, {
    order,
    folder: join(folder, `${jobId}-${attempt}`),
    parentFolder,
    signal: AbortSignal.any([stopping, job.signal]),
  })
    .catch((error: unknown) => {
      state.isOver = true
      throw error
    })
    .finally(() => running.delete(job))
  say(`${what}: ${text} after ${Math.round((performance.now() - begunAt) / 1000)} s`)
  return restMs
}
