import { join } from 'node:path'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeFolder, sizeOf } from '#server/platform/files/durable-files.ts'
import {
  SOURCE_FILE,
  storedBytes,
  storeKey,
  withLocalCopies,
} from '#server/platform/files/media-store.ts'
import { insertMediaFiles } from '../media/media-file.queries.ts'
import { planRungs } from '../processing/encode/rung.ts'
import { replaceRecording } from '../replacement/replacement.queries.ts'
import { videoPublished } from '../video/video.events.ts'
import {
  findVideoToProcess,
  insertJob,
  updateClaimedJob,
  updateProcessedVideo,
} from './job.queries.ts'
import { type JobDeps, type JobRun, requireFile, withProcessingVideo } from './job-run.ts'

/** The best progressive file of a video. */
const BEST_FILE = 'video.mp4'
/** One that plays until the best is made. */
const FIRST_FILE = 'first.mp4'

/** Small enough to be made quickly, good enough to be watched. */
const QUICK_SHORT_SIDE = 720

/** Makes the first playable file of a video whose upload does not play as it is, and publishes it. */
export async function transcodeVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk, media } = deps
  const { job } = run
  const video = await findVideoToProcess(db, job.videoId)
  if (!video) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const { width, height } = video
  const rungs = width && height ? planRungs({ width, height }, deps.renditionHeights) : []
  const quick = rungs.find(({ name }) => name <= QUICK_SHORT_SIDE) ?? rungs.at(-1)
  const { mediaKey } = video
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const outputPath = join(work, FIRST_FILE)
    const quickShortSide = quick?.name ?? QUICK_SHORT_SIDE
    const { encoder, signal, onProgress } = run
    const made = await withLocalCopies(media, [storeKey(mediaKey, SOURCE_FILE)], async ([source]) =>
      run.runTask(
        {
          ...{ kind: 'transcode', sourcePath: requireFile(source) },
          ...{ outputPath, quickShortSide, encoder },
        },
        { ...deps.jobLimits, signal, onProgress },
      ),
    )
    const name = made.copied || quick === rungs[0] ? BEST_FILE : FIRST_FILE
    const bytes = (await sizeOf(outputPath)) ?? 0
    failpoint('transcode.made')
    await withProcessingVideo(deps, { job, mediaKey }, async () => {
      await media.put([{ key: storeKey(mediaKey, name), path: outputPath }])
      failpoint('transcode.moved')
      await publish(deps, run, {
        file: { name, kind: 'video' as const, bytes },
        result: {
          videoFile: name,
          duration: Math.round(made.durationSeconds),
          width: made.width,
          height: made.height,
          storageBytes: await storedBytes(media, mediaKey),
        },
      })
    })
  } finally {
    await removeFolder(work)
  }
}

async function publish(
  deps: JobDeps,
  { job }: JobRun,
  made: {
    file: { name: string; kind: 'video'; bytes: number }
    result: Parameters<typeof updateProcessedVideo>[1]['result']
  },
): Promise<void> {
  const notified = await inTransaction(deps.db, async (transaction) => {
    const change = { state: 'done' as const, percent: 100, finishedAt: timestamp() }
    if (!(await updateClaimedJob(transaction, { job, change }))) return []
    // Its owner or an admin may have changed it since the work began.
    const now = await findVideoToProcess(transaction, job.videoId)
    if (!now) return []
    await updateProcessedVideo(transaction, { id: now.id, result: made.result })
    await insertMediaFiles(transaction, { videoId: now.id, files: [made.file] })
    await insertJob(transaction, { kind: 'ladder', videoId: now.id })
    if (now.contentApproved === 0) return [now.userId]
    if ((await replaceRecording(transaction, now.id)) !== undefined) return [now.userId]
    const notified = await videoPublished.raise({ db: transaction, video: now })
    return [...notified.flat(), now.userId]
  })
  failpoint('transcode.published')
  deps.live.announce(notified)
}
