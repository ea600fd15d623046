import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import {
  findVideoToProcess,
  insertJob,
  updateClaimedJob,
  updateProcessedVideo,
} from '../job/job.queries.ts'
import { type JobDeps, type JobRun, publishMade, requireFile, withInputs } from '../job/job-run.ts'
import { nameForStore } from '../media/made-files.ts'
import { updateComingFiles } from '../media/media-file.queries.ts'
import { planRenditionSizes } from '../processing/encode/rendition-size.ts'
import { replaceRecording } from '../replacement/replacement.queries.ts'
import { announceVideo } from '../video/announce-video.ts'

const BEST_FILE = 'video.mp4'
/** Until the best file exists. */
const FIRST_FILE = 'first.mp4'

/** Pixels. */
const QUICK_SHORT_SIDE = 720

export async function transcodeVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk } = deps
  const { job } = run
  const video = await findVideoToProcess(db, job.videoId)
  if (!video) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const { width, height } = video
  const sizes = width && height ? planRenditionSizes({ width, height }, deps.renditionHeights) : []
  const quick = sizes.find(({ name }) => name <= QUICK_SHORT_SIDE) ?? sizes.at(-1)
  const { mediaKey } = video
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const outputPath = join(work, FIRST_FILE)
    const quickShortSide = quick?.name ?? QUICK_SHORT_SIDE
    const { encoder, signal, onProgress } = run
    const made = await withInputs(
      deps,
      { keys: [storeKey(mediaKey, SOURCE_FILE)], signal },
      ([source]) =>
        run.runTask(
          {
            ...{ kind: 'transcode', sourcePath: requireFile(source) },
            ...{ outputPath, quickShortSide, encoder },
          },
          { ...deps.jobLimits, signal, onProgress },
        ),
    )
    const name = made.copied || quick === sizes[0] ? BEST_FILE : FIRST_FILE
    await rename(outputPath, join(work, name))
    const { files, nameOf } = await nameForStore(work, [{ name, kind: 'video' }])
    failpoint('transcode.made')
    const notified = await publishMade(deps, {
      payer: null,
      ...{ job, video, workFolder: work, files },
      moved: 'transcode.moved',
      find: (database) => findVideoToProcess(database, job.videoId),
      publish: (transaction, now) =>
        publish(transaction, {
          video: now,
          result: {
            videoFile: nameOf(name),
            duration: Math.round(made.durationSeconds),
            width: made.width,
            height: made.height,
          },
        }),
    })
    failpoint('transcode.published')
    deps.live.announce(notified)
  } finally {
    await removeFolder(work)
  }
}

async function publish(
  db: DatabaseTransaction,
  made: {
    video: NonNullable<Awaited<ReturnType<typeof findVideoToProcess>>>
    result: Parameters<typeof updateProcessedVideo>[1]['result']
  },
): Promise<number[]> {
  const { video, result } = made
  await updateComingFiles(db, { videoId: video.id, names: [result.videoFile] })
  await updateProcessedVideo(db, { id: video.id, result })
  await insertJob(db, { kind: 'ladder', videoId: video.id })
  if (video.contentApproved === 0) return [video.userId]
  if ((await replaceRecording(db, video.id)) !== undefined) return [video.userId]
  return [...(await announceVideo(db, video)), video.userId]
}
