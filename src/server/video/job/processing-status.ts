import type { Database } from '#server/platform/db/database.ts'
import type { JobRow } from '#server/platform/db/tables/job.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { ProcessingStatus, VideoWork, WorkStatus } from '#shared/schemas/video.schemas.ts'
import { requireVideo } from '../video/video.service.ts'
import { listJobsOfVideo } from './job.queries.ts'
import { listQueue } from './job-queue.queries.ts'
import { NO_MACHINE_STEP, NO_SPACE_STEP, NO_STORE_STEP } from './job-run.ts'
import { listActiveJobsOfUser, listFailedLaddersOfUser } from './work.queries.ts'

type Deps = Pick<AppDeps, 'db' | 'jobs'>

export async function findProcessingStatus(
  { db, jobs: machines }: Deps,
  input: { id: number; viewer: Viewer | undefined },
): Promise<ProcessingStatus> {
  const video = await requireVideo(db, input)
  const jobs = await listJobsOfVideo(db, input.id)
  return describeVideo(video, jobs, { machines, queue: await queueOf(db, jobs) })
}

/** Failed work only if it can be retried. */
export async function listVideoWork({ db, jobs }: Deps, viewer: Viewer): Promise<VideoWork[]> {
  const active = await listActiveJobsOfUser(db, viewer.id)
  const failed = await listFailedLaddersOfUser(db, viewer.id)
  const queueState = { machines: jobs, queue: await queueOf(db, active) }
  const byVideo = Map.groupBy([...active, ...failed], (job) => job.videoId)
  return [...byVideo].flatMap(([videoId, ofVideo]) => {
    const [first] = ofVideo
    return first ? [{ videoId, ...describeVideo(first, ofVideo, queueState) }] : []
  })
}

type JobFacts = Pick<
  JobRow,
  'id' | 'kind' | 'state' | 'percent' | 'step' | 'speed' | 'secondsLeft' | 'error'
> & { shortSide: number }

type QueueState = { queue: number[]; machines: Pick<AppDeps['jobs'], 'hasRunner'> }

async function queueOf(db: Database, jobs: JobFacts[]): Promise<number[]> {
  return jobs.some((job) => job.state === 'queued') ? listQueue(db) : []
}

function describeVideo(
  video: Pick<ProcessingStatus, 'processingState' | 'processingError'>,
  jobs: JobFacts[],
  queueState: QueueState,
): ProcessingStatus {
  const { processingState, processingError } = video
  const works = new Map(jobs.map((job) => [job.kind, describeWork(job, queueState)]))
  const kinds = ['transcode', 'cut', 'montage'] as const
  const kind = processingState === 'processing' && kinds.find((one) => works.has(one))
  const main = kind ? works.get(kind) : undefined
  const isOver = !main || main.state === 'done' || main.state === 'failed'
  return {
    processingState,
    processingError,
    stage: isOver ? 'done' : main.state === 'running' ? 'preparing' : 'waiting',
    percent: isOver ? 100 : main.percent,
    queuePosition: isOver ? 0 : main.queuePosition,
    step: isOver ? null : main.step,
    speed: isOver ? null : main.speed,
    secondsLeft: isOver ? null : main.secondsLeft,
    ladder: works.get('ladder') ?? null,
    mix: works.get('mix') ?? null,
  }
}

const WAITING_STEPS: (string | null)[] = [NO_SPACE_STEP, NO_STORE_STEP]

/** Null while it waits for its turn. */
export function waitingStep(
  job: Pick<JobFacts, 'kind' | 'shortSide' | 'step'>,
  machines: QueueState['machines'],
): string | null {
  if (WAITING_STEPS.includes(job.step)) return job.step
  return machines.hasRunner(job) ? null : NO_MACHINE_STEP
}

function describeWork(job: JobFacts, { queue, machines }: QueueState): WorkStatus {
  const isRunning = job.state === 'running'
  return {
    state: job.state === 'queued' ? 'waiting' : job.state,
    percent: job.state === 'done' ? 100 : isRunning ? job.percent : 0,
    queuePosition: job.state === 'queued' ? queue.indexOf(job.id) + 1 : 0,
    step: isRunning ? job.step : job.state === 'queued' ? waitingStep(job, machines) : null,
    speed: isRunning ? job.speed : null,
    secondsLeft: isRunning && job.secondsLeft !== null ? Math.round(job.secondsLeft) : null,
    error: job.state === 'failed' ? job.error : null,
  }
}
