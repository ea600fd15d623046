import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { JobRow } from '#server/platform/db/tables/job.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireDeletable } from '../video/video.access.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import {
  findPlayableVideo,
  insertJob,
  listJobsOfVideo,
  updateCancelledJobs,
  updateFailedVideo,
  updateGivenUpClips,
  updateRetriedClips,
  updateRetriedJobs,
  updateRetriedVideo,
} from './job.queries.ts'

type Deps = Pick<AppDeps, 'db' | 'jobs'>
type Asking = { id: number; viewer: Viewer }

const CANCELLED = 'The work on this video was cancelled.'

/**
 * A video that does not play yet is `failed` and can be retried.
 * @throws `forbidden` for others than owner and admins, `conflict` without a job
 */
export async function cancelProcessing({ db, jobs }: Deps, input: Asking): Promise<void> {
  const video = await requireOwnerOrAdmin(db, input)
  const { id } = input
  const count = await inTransaction(db, async (transaction) => {
    await updateFailedVideo(transaction, { id, processingError: CANCELLED })
    await updateGivenUpClips(transaction, id)
    return updateCancelledJobs(transaction, { videoId: id, error: CANCELLED })
  })
  if (count === 0) throw new AppError('conflict', 'There is no work on this video to cancel.')
  await recordAct(db, { ...input, video, action: 'video.cancel-work' })
  await jobs.cancel(id)
}

/**
 * Requeues failed or cancelled work; adds a ladder to a video from an older version.
 * @throws `forbidden` for others than owner and admins, `conflict` when there is nothing to retry
 */
export async function retryProcessing({ db, jobs }: Deps, input: Asking): Promise<void> {
  const video = await requireOwnerOrAdmin(db, input)
  const { id } = input
  const known = await listJobsOfVideo(db, id)
  const playable = await findPlayableVideo(db, id)
  const lacksLadder =
    playable?.videoUrl != null && !known.some(({ kind, state }) => isLadderOrPending(kind, state))
  const count = await inTransaction(db, async (transaction) => {
    if (lacksLadder) await insertJob(transaction, { kind: 'ladder', videoId: id })
    const lacksClips = known.some(({ kind, state }) => kind === 'clip' && state === 'failed')
    if (lacksClips) await updateRetriedClips(transaction, id)
    const retried = await updateRetriedJobs(transaction, id)
    if (retried > 0) await updateRetriedVideo(transaction, id)
    return retried + (lacksLadder ? 1 : 0)
  })
  if (count === 0) throw new AppError('conflict', 'There is no work on this video to retry.')
  await recordAct(db, { ...input, video, action: 'video.retry-work' })
  jobs.wake()
}

function isLadderOrPending(kind: JobRow['kind'], state: JobRow['state']): boolean {
  return kind === 'ladder' || state === 'queued' || state === 'running'
}

async function requireOwnerOrAdmin(db: Database, { id, viewer }: Asking) {
  const video = await requireVideoOwner(db, { id, viewer })
  requireDeletable(video, viewer)
  return video
}

/** Audits acts on other members' videos only. */
async function recordAct(
  db: Database,
  input: Asking & {
    video: { userId: number; title: string }
    action: 'video.cancel-work' | 'video.retry-work'
  },
): Promise<void> {
  const { id, viewer, video, action } = input
  if (video.userId === viewer.id) return
  const target = { kind: 'video', id, name: video.title } as const
  await insertAuditEntry(db, { actor: viewer, action, target })
}
