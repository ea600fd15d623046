import type { ProcessingStatus } from '#shared/video.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import type { Database } from '../db/database.ts'
import { requireVideo } from '../video/video.service.ts'
import { countJobsAhead, findJobOfVideo } from './job.queries.ts'

/**
 * How far the work on a video has come.
 * @throws AppError `not-found` when the video is not visible to the viewer.
 */
export async function findProcessingStatus(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<ProcessingStatus> {
  const { processingState, processingError } = await requireVideo(db, input)
  const state = { processingState, processingError }
  const job = processingState === 'processing' ? await findJobOfVideo(db, input.id) : undefined
  if (job?.state === 'running') {
    return { ...state, stage: 'preparing', percent: job.percent, queuePosition: 0 }
  }
  if (job?.state === 'queued') {
    const queuePosition = (await countJobsAhead(db, job.id)) + 1
    return { ...state, stage: 'waiting', percent: 0, queuePosition }
  }
  return { ...state, stage: 'done', percent: 100, queuePosition: 0 }
}
