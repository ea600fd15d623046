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
  /** How many jobs at a time. */
  places: number
  kinds: JobKind[]
  /** Of the short side of the picture; undefined for any. */
  maxHeight: number | undefined
  idleOnly: boolean
  /** Where the files of jobs are meanwhile. */
  parentFolder: string
  say: (line: string) => void
  /** Aborts when the worker is to stop. */
  stopping: AbortSignal
}

const REST_MS = 200

/** Takes jobs of a site and does them, until it is to stop: then it gives back what it has. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { say, stopping, places } = options
  const site = connectToSite({ ...options, onTrouble: say })
  const encoder = await chooseEncoder()
  const json = { protocol: PROTOCOL, version: options.version, encoder }
  const greeting = await site.ask('hello', { json, signal: stopping })
  const { name } = welcomeSchema.parse(await greeting.json())
  say(`This is ${name}, working for ${options.origin} with ${encoder}.`)
  const folder = await openWorkerFolder(options.parentFolder)
  const running = new Set<AbortController>()
  const watch = options.idleOnly ? watchMachine(running, say) : undefined
  const mayWork = () => watch?.isIdle() ?? true
  try {
    await Promise.all(
      Array.from({ length: places }, () =>
        workUntilStopped(site, { ...options, folder, running, mayWork }),
      ),
    )
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

type Place = WorkerOptions & {
  folder: string
  running: Set<AbortController>
  mayWork: () => boolean
}

async function workUntilStopped(site: SiteConnection, place: Place): Promise<void> {
  const { stopping, mayWork } = place
  while (!stopping.aborted) {
    const begunAt = Date.now()
    const order = mayWork() ? await claim(site, place) : undefined
    const rest = order ? await work(site, place, order) : 0
    // Where the site answers at once the loop would turn without end.
    const restMs = Math.max(rest, REST_MS - (Date.now() - begunAt))
    if (restMs > 0) await pause(restMs, undefined, { signal: stopping }).catch(() => {})
  }
}

async function claim(
  site: SiteConnection,
  { kinds, maxHeight, stopping }: Place,
): Promise<Order | null> {
  try {
    const json = { kinds, ...(maxHeight !== undefined && { maxHeight }) }
    const answer = await site.ask('claim', { json, signal: stopping })
    return claimedSchema.parse(await answer.json()).order
  } catch (error) {
    if (stopping.aborted) return null
    throw error
  }
}

async function work(
  site: SiteConnection,
  { folder, parentFolder, running, stopping, say }: Place,
  order: Order,
): Promise<number> {
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
  }).finally(() => running.delete(job))
  say(`${what}: ${text} after ${Math.round((performance.now() - begunAt) / 1000)} s`)
  return restMs
}
