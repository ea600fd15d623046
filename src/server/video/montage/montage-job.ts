import { estimatePlanned } from '#server/account/room/room.service.ts'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { countOf } from '#shared/text/format.ts'
import {
  findVideoToProcess,
  insertJob,
  updateClaimedJob,
  updateProcessedVideo,
} from '../job/job.queries.ts'
import { type JobDeps, type JobRun, publishMade, withInputs } from '../job/job-run.ts'
import { type MadeFile, nameForStore } from '../media/made-files.ts'
import { type NewMediaFile, updateComingFiles } from '../media/media-file.queries.ts'
import { UnplayableSourceError } from '../processing/media-errors.ts'
import type { MontageResult, MontageTask } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { addressOf, keyOf } from '../video/media-address.ts'
import { videoPublished } from '../video/video.events.ts'
import { updateVideo } from '../video/video.queries.ts'
import { deleteMontage, findMaker, findMontage } from './montage.queries.ts'
import { type FoundItem, requireUnchanged } from './montage-items.ts'

export async function makeMontageVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk } = deps
  const { job } = run
  const video = await findVideoToProcess(db, job.videoId)
  const montage = await findMontage(db, job.videoId)
  if (!video || !montage) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const maker = await findMaker(db, video.userId)
  const items = await requireItems(deps, { items: montage.items, viewer: maker })
  const subtitle = `${countOf(items.length, 'clip')} by ${maker.displayName}`
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const { signal, onProgress } = run
    const keys = items.map(({ source }) => keyOf(source.mediaKey, source.videoUrl))
    const result = await withInputs(deps, { keys, signal }, (paths) =>
      runMediaTask(
        {
          kind: 'montage',
          outputFolder: work,
          parts: items.map((item, index) => toPart(item, paths[index])),
          transition: montage.transition,
          titleCard: montage.titleCard === 1 ? { title: video.title, subtitle } : null,
          encoder: run.encoder,
        },
        { ...deps.jobLimits, signal, onProgress },
      ),
    )
    const { files, nameOf } = await nameForStore(work, listMade(result))
    failpoint('montage.made')
    const { videoFile, posterFile } = result
    const stored = { videoFile: nameOf(videoFile), posterFile: posterFile && nameOf(posterFile) }
    const notified = await publishMade(deps, {
      ...{ job, video, workFolder: work, files },
      payer: { userId: video.userId, planned: (database) => estimatePlanned(database, video.id) },
      moved: 'montage.moved',
      find: (database) => findVideoToProcess(database, job.videoId),
      publish: (transaction, now) =>
        publish(transaction, { video: now, result: { ...result, ...stored }, files }),
    })
    failpoint('montage.published')
    deps.live.announce(notified)
  } finally {
    await removeFolder(work)
  }
}

/** @throws UnplayableSourceError naming the missing item */
async function requireItems(
  { db }: JobDeps,
  input: Parameters<typeof requireUnchanged>[1],
): Promise<FoundItem[]> {
  return requireUnchanged(db, input).catch((error) => {
    throw error instanceof AppError ? new UnplayableSourceError(error.message) : error
  })
}

/** @throws UnplayableSourceError for a missing file */
function toPart(
  { title, fromSeconds, toSeconds }: FoundItem,
  sourcePath: string | undefined,
): MontageTask['parts'][number] {
  if (sourcePath !== undefined) return { sourcePath, name: title, fromSeconds, toSeconds }
  throw new UnplayableSourceError(`The file of “${title}” is missing on the server.`)
}

function listMade({ videoFile, posterFile }: MontageResult): MadeFile[] {
  const video: MadeFile = { name: videoFile, kind: 'video' }
  return posterFile === null ? [video] : [video, { name: posterFile, kind: 'picture' }]
}

type Made = {
  video: NonNullable<Awaited<ReturnType<typeof findVideoToProcess>>>
  result: MontageResult
  files: NewMediaFile[]
}

async function publish(db: DatabaseTransaction, made: Made): Promise<number[]> {
  const { video } = made
  await record(db, made)
  if (video.contentApproved === 0) return [video.userId]
  const notified = await videoPublished.raise({ db, video })
  return [...notified.flat(), video.userId]
}

async function record(
  db: DatabaseTransaction,
  { video: { id: videoId }, result, files }: Made,
): Promise<void> {
  const { videoFile, posterFile, width, height } = result
  const duration = Math.round(result.durationSeconds)
  await updateComingFiles(db, { videoId, names: files.map(({ name }) => name) })
  await updateProcessedVideo(db, { id: videoId, result: { videoFile, duration, width, height } })
  if (posterFile) {
    await updateVideo(db, { id: videoId, change: { thumbnailUrl: addressOf(posterFile) } })
  }
  await deleteMontage(db, videoId)
  await insertJob(db, { kind: 'ladder', videoId })
}
