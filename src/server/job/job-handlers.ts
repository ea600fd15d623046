import { join } from 'node:path'
import type { AppDeps } from '../context.ts'
import {
  folderBytes,
  mediaUrl,
  moveDurably,
  removeFolder,
  SOURCE_FILE,
  syncFile,
} from '../media/media-store.ts'
import { notifyOfUpload } from '../notification/notification.service.ts'
import { runMediaTask } from '../processing/run-media-task.ts'
import {
  type ClaimedJob,
  findVideoToProcess,
  updateClaimedJob,
  updateProcessedVideo,
} from './job.queries.ts'

export type JobDeps = Pick<AppDeps, 'db' | 'media' | 'live'>
export type JobRun = {
  job: ClaimedJob
  signal: AbortSignal
  onProgress: (percent: number) => void
}

const TRANSCODE_TIMEOUT_MS = 6 * 60 * 60 * 1000
const VIDEO_FILE = 'video.mp4'

/** Makes the playable file of a video whose upload does not play as it is, and publishes it. */
export async function transcodeVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, media } = deps
  const { job } = run
  const video = await findVideoToProcess(db, job.videoId)
  if (!video) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const folder = media.mediaFolder(video.mediaKey)
  const work = await media.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const outputPath = join(work, VIDEO_FILE)
    const { durationSeconds, width, height } = await runMediaTask(
      { kind: 'transcode', sourcePath: join(folder, SOURCE_FILE), outputPath },
      {
        timeoutMs: TRANSCODE_TIMEOUT_MS,
        signal: run.signal,
        onProgress: ({ percent }) => run.onProgress(percent),
      },
    )
    await syncFile(outputPath)
    await moveDurably(outputPath, join(folder, VIDEO_FILE))
    const result = {
      videoUrl: mediaUrl(video.mediaKey, VIDEO_FILE),
      duration: Math.round(durationSeconds),
      width,
      height,
      storageBytes: await folderBytes(folder),
    }
    const told = await db.transaction().execute(async (transaction) => {
      const change = { state: 'done' as const, percent: 100, finishedAt: new Date().toISOString() }
      if (!(await updateClaimedJob(transaction, { job, change }))) return []
      // Its owner or an admin may have changed it since the work began.
      const now = await findVideoToProcess(transaction, video.id)
      if (!now) return []
      await updateProcessedVideo(transaction, { id: video.id, result })
      return now.contentApproved === 1 ? notifyOfUpload(transaction, now) : []
    })
    deps.live.announce([...told, video.userId])
  } finally {
    await removeFolder(work)
  }
}
