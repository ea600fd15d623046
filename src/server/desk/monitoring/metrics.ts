import { isDatabaseFile } from '#server/platform/db/maintain.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import type { CacheCounts } from '#server/platform/http/answer/answer-cache.ts'
import type { AnsweredCall } from '#server/platform/http/request-calls.ts'
import { readNodes } from '../nodes/node.service.ts'
import { readStorage } from '../overview/overview.service.ts'
import { countUploads, listJobStates, sumViews } from './metrics.queries.ts'
import { PARTS, type Problem } from './readiness.service.ts'

const JOB_STATES = ['queued', 'running', 'failed'] as const
const NODE_STATES = ['serving', 'unready', 'draining', 'silent'] as const
const UPLOAD_STATES = ['receiving', 'finalizing'] as const
/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Batched calls share one time. */
const BATCH = '/trpc/batch'

type Answered = { method: string; calls: AnsweredCall[]; seconds: number | undefined }
export type Metrics = Awaited<ReturnType<typeof createMetrics>>

/** For Prometheus. The library measures the event loop and takes memory: loaded on demand. */
export async function createMetrics(
  deps: Pick<AppDeps, 'config' | 'db' | 'disk' | 'media'>,
  { cache }: { cache: CacheCounts },
) {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })

  const requests = new Counter({
    name: 'clutch_http_requests_total',
    help: 'Answered requests by method, route or procedure, and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'clutch_http_request_duration_seconds',
    help: 'How long requests took until their answer was out; live events are left out.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  })
  const cacheReads = new Counter({
    name: 'clutch_answer_cache_reads_total',
    help: 'Answers to visitors that were in memory (hit) or had to be made (miss).',
    labelNames: ['result'],
    registers,
  })
  const views = new Counter({
    name: 'clutch_views_total',
    help: 'Views of all videos there ever were.',
    registers,
  })
  const ready = gauge('clutch_ready', 'Whether each part works: 1 or 0.', ['part'])
  const jobs = gauge('clutch_jobs', 'Jobs by state.', ['state'])
  const jobAge = gauge(
    'clutch_job_oldest_age_seconds',
    'How long the oldest job waits (queued), or is being done (running); 0 for none.',
    ['state'],
  )
  const stored = gauge('clutch_stored_bytes', 'Bytes on the disk by what they are for.', ['kind'])
  const diskFree = gauge('clutch_disk_free_bytes', 'Bytes until the disk counts as full.', [])
  const diskSize = gauge('clutch_disk_size_bytes', 'The size of the disk.', [])
  const nodes = isDatabaseFile(deps.db)
    ? undefined
    : gauge('clutch_nodes', 'Processes that serve the site, by state.', ['state'])
  const uploads = gauge('clutch_uploads', 'Uploads under way by state.', ['state'])

  function setCounts(problems: Problem[]): void {
    for (const part of PARTS) {
      ready.set({ part }, problems.some((problem) => problem.part === part) ? 0 : 1)
    }
    cacheReads.reset()
    cacheReads.inc({ result: 'hit' }, cache.hits)
    cacheReads.inc({ result: 'miss' }, cache.misses)
  }

  async function readDatabase(): Promise<void> {
    const { db } = deps
    const states = new Map((await listJobStates(db)).map((row) => [row.state, row]))
    for (const state of JOB_STATES) jobs.set({ state }, states.get(state)?.count ?? 0)
    jobAge.set({ state: 'queued' }, secondsSince(states.get('queued')?.createdAt))
    jobAge.set({ state: 'running' }, secondsSince(states.get('running')?.startedAt))
    const open = new Map((await countUploads(db)).map((row) => [row.state, row.count]))
    for (const state of UPLOAD_STATES) uploads.set({ state }, open.get(state) ?? 0)
    await setNodes()
    const { free, disk, elsewhere: _, ...kinds } = await readStorage(deps)
    for (const [kind, bytes] of Object.entries(kinds)) stored.set({ kind }, bytes)
    diskFree.set(free)
    diskSize.set(disk)
    const viewsNow = await sumViews(db)
    views.reset()
    views.inc(viewsNow)
  }

  async function setNodes(): Promise<void> {
    if (!nodes) return
    const found = (await readNodes(deps.db)).nodes
    for (const state of NODE_STATES) {
      nodes.set({ state }, found.filter((node) => node.state === state).length)
    }
  }

  return {
    contentType: register.contentType,

    note({ method, calls, seconds }: Answered): void {
      for (const { route, status } of calls) requests.inc({ method, route, status })
      const [first] = calls
      if (seconds === undefined || !first) return
      duration.observe({ route: calls.length > 1 ? BATCH : first.route }, seconds)
    },

    /** @param input.onError a database error; older figures are written then */
    async write(input: {
      problems: Problem[]
      onError: (error: unknown) => void
    }): Promise<string> {
      setCounts(input.problems)
      await readDatabase().catch(input.onError)
      return register.metrics()
    },
  }
}

function secondsSince(time: string | null | undefined): number {
  return time ? Math.max(0, (Date.now() - Date.parse(time)) / 1000) : 0
}
