import { join } from 'node:path'
import { claimRoom } from '#server/account/room/room.service.ts'
import { type DatabaseTransaction, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeFolder, sizeOf } from '#server/platform/files/durable-files.ts'
import { putFiles, storedBytes } from '#server/platform/files/media-store.ts'
import { countOf } from '#shared/text/format.ts'
import {
  findVideoToProcess,
  insertJob,
  updateClaimedJob,
  updateProcessedVideo,
} from '../job/job.queries.ts'
import { type JobDeps, type JobRun, withInputs, withProcessingVideo } from '../job/job-run.ts'
import { addressOf, keyOf } from '../media/media-address.ts'
import { insertMediaFiles, type NewMediaFile } from '../media/media-file.queries.ts'
import { UnplayableSourceError } from '../processing/media-errors.ts'
import type { MontageResult, MontageTask } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { videoPublished } from '../video/video.events.ts'
import { updateVideo } from '../video/video.queries.ts'
import { deleteMontage, findMaker, findMontage } from './montage.queries.ts'
import { type FoundItem, requireUnchanged } from './montage-items.ts'

type Made = { result: MontageResult; files: NewMediaFile[]; storageBytes: number }

/** Makes one video of stretches of others, and publishes it as far as its owner chose. */
export async function makeMontageVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk, media } = deps
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
    const files = await describeFiles(work, result)
    failpoint('montage.made')
    const { mediaKey } = video
    await withProcessingVideo(deps, { job, mediaKey }, async () => {
      await claimRoom(deps, { video, files })
      await putFiles(media, { mediaKey, folder: work, names: files.map(({ name }) => name) })
      failpoint('montage.moved')
      await publish(deps, run, { result, files, storageBytes: await storedBytes(media, mediaKey) })
    })
  } finally {
    await removeFolder(work)
  }
}

/** @throws UnplayableSourceError that names what is not there any more */
async function requireItems(
  { db }: JobDeps,
  input: Parameters<typeof requireUnchanged>[1],
): Promise<FoundItem[]> {
  return requireUnchanged(db, input).catch((error) => {
    throw error instanceof AppError ? new UnplayableSourceError(error.message) : error
  })
}

/** @throws UnplayableSourceError when there is no such file */
function toPart(
  { title, fromSeconds, toSeconds }: FoundItem,
  sourcePath: string | undefined,
): MontageTask['parts'][number] {
  if (sourcePath !== undefined) return { sourcePath, name: title, fromSeconds, toSeconds }
  throw new UnplayableSourceError(`The file of “${title}” is missing on the server.`)
}

async function describeFiles(
  folder: string,
  { videoFile, posterFile }: MontageResult,
): Promise<NewMediaFile[]> {
  const named = [
    { name: videoFile, kind: 'video' as const },
    ...(posterFile ? [{ name: posterFile, kind: 'picture' as const }] : []),
  ]
  const describe = async (file: (typeof named)[number]) => ({
    ...file,
    bytes: (await sizeOf(join(folder, file.name))) ?? 0,
  })
  return Promise.all(named.map(describe))
}

async function publish(deps: JobDeps, { job }: JobRun, made: Made): Promise<void> {
  const notified = await inTransaction(deps.db, async (transaction) => {
    const change = { state: 'done' as const, percent: 100, finishedAt: timestamp() }
    if (!(await updateClaimedJob(transaction, { job, change }))) return []
    const now = await findVideoToProcess(transaction, job.videoId)
    if (!now) return []
    await record(transaction, { ...made, videoId: now.id })
    if (now.contentApproved === 0) return [now.userId]
    const told = await videoPublished.raise({ db: transaction, video: now })
    return [...told.flat(), now.userId]
  })
  failpoint('montage.published')
  deps.live.announce(notified)
}

async function record(
  db: DatabaseTransaction,
  { videoId, result, files, storageBytes }: Made & { videoId: number },
): Promise<void> {
  const { videoFile, posterFile, width, height } = result
  const duration = Math.round(result.durationSeconds)
  const facts = { videoFile, duration, width, height, storageBytes }
  await updateProcessedVideo(db, { id: videoId, result: facts })
  if (posterFile) {
    await updateVideo(db, { id: videoId, change: { thumbnailUrl: addressOf(posterFile) } })
  }
  await insertMediaFiles(db, { videoId, files })
  await deleteMontage(db, videoId)
  await insertJob(db, { kind: 'ladder', videoId })
}
