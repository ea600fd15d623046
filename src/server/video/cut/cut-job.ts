import { join } from 'node:path'
import { claimRoom } from '#server/account/room/room.service.ts'
import { type DatabaseTransaction, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeFolder, sizeOf } from '#server/platform/files/durable-files.ts'
import { putFiles, storedBytes, storeKey } from '#server/platform/files/media-store.ts'
import {
  findPlayableVideo,
  findVideoToProcess,
  insertJob,
  updateClaimedJob,
  updateProcessedVideo,
} from '../job/job.queries.ts'
import {
  type JobDeps,
  type JobRun,
  requireFile,
  withInputs,
  withProcessingVideo,
} from '../job/job-run.ts'
import { insertMediaFiles, type NewMediaFile } from '../media/media-file.queries.ts'
import { UnplayableSourceError } from '../processing/media-errors.ts'
import type { CutResult } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { videoPublished } from '../video/video.events.ts'
import { markVideosAsDeleting } from '../video/video-rows.queries.ts'
import {
  type CutCaptions,
  deleteCut,
  findCut,
  findCutSource,
  insertCutCaptions,
  maySaveClips,
  updateCutFacts,
} from './cut.queries.ts'
import { writeCutCaptions } from './cut-captions.ts'
import { takePlaceOfSource } from './cut-exchange.ts'
import { requireBestFile } from './cut-source.ts'

type Cut = NonNullable<Awaited<ReturnType<typeof findCut>>>
type Made = {
  cut: Cut & { sourceVideoId: number }
  result: CutResult
  files: NewMediaFile[]
  captions: CutCaptions[]
  storageBytes: number
}

const SOURCE_DELETED = 'The video that this is cut from was deleted.'
const NOT_ALLOWED = 'The owner of the video does not let others save its clips any more.'
const SOURCE_CHANGED = 'The video that this is cut from changed meanwhile. Please cut it again.'

/** Makes the recording of a video out of parts of another one, and publishes it. */
export async function cutRecording(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk, media } = deps
  const { job } = run
  const video = await findVideoToProcess(db, job.videoId)
  const cut = await findCut(db, job.videoId)
  if (!video || !cut) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const { sourceVideoId } = cut
  const source = sourceVideoId === null ? undefined : await findCutSource(db, sourceVideoId)
  if (!source || sourceVideoId === null) return giveUp(deps, run, cut)
  if (source.mediaKey !== cut.sourceMediaKey) throw new UnplayableSourceError(SOURCE_CHANGED)
  const isOwn = source.userId === video.userId
  if (!isOwn && !(await maySaveClips(db, { videoId: sourceVideoId, userId: video.userId }))) {
    throw new UnplayableSourceError(NOT_ALLOWED)
  }
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const { parts } = cut
    const { encoder, signal, onProgress } = run
    const { key } = await requireBestFile(deps, source)
    const result = await withInputs(deps, { keys: [key], signal }, ([path]) =>
      runMediaTask(
        { kind: 'cut', sourcePath: requireFile(path), outputFolder: work, parts, encoder },
        { ...deps.jobLimits, signal, onProgress },
      ),
    )
    const captions = await writeCutCaptions(deps, { source, parts: result.parts, work })
    const files = await describeFiles(work, { result, captions })
    failpoint('cut.made')
    const { mediaKey } = video
    await withProcessingVideo(deps, { job, mediaKey }, async () => {
      await claimRoom(deps, { video, files })
      // Of an attempt that ended before its rows were written.
      await media.removePrefix(storeKey(mediaKey))
      await putFiles(media, { mediaKey, folder: work, names: files.map(({ name }) => name) })
      failpoint('cut.moved')
      const storageBytes = await storedBytes(media, mediaKey)
      await publish(deps, run, {
        cut: { ...cut, sourceVideoId },
        result,
        files,
        captions,
        storageBytes,
      })
    })
  } finally {
    await removeFolder(work)
  }
}

/** What was to replace a video that is gone goes too. */
async function giveUp({ db }: JobDeps, { job }: JobRun, cut: Cut): Promise<void> {
  if (cut.replaces === 0) throw new UnplayableSourceError(SOURCE_DELETED)
  await inTransaction(db, async (transaction) => {
    await markVideosAsDeleting(transaction, [cut.videoId])
    await updateClaimedJob(transaction, { job, change: { state: 'done' } })
  })
}

async function describeFiles(
  folder: string,
  { result, captions }: Pick<Made, 'result' | 'captions'>,
): Promise<NewMediaFile[]> {
  const { videoFile, posterFile } = result
  const named = [
    { name: videoFile, kind: 'video' as const },
    ...(posterFile ? [{ name: posterFile, kind: 'picture' as const }] : []),
    ...captions.map(({ file }) => ({ name: file, kind: 'captions' as const })),
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
    await record(transaction, made)
    const { videoId, sourceVideoId, replaces } = made.cut
    if (replaces === 1) {
      const source = await findPlayableVideo(transaction, sourceVideoId)
      if (source?.mediaKey !== made.cut.sourceMediaKey) {
        throw new UnplayableSourceError(SOURCE_CHANGED)
      }
      const { parts } = made.result
      await takePlaceOfSource(transaction, { videoId, sourceVideoId, parts })
      return [now.userId]
    }
    await deleteCut(transaction, videoId)
    if (now.contentApproved === 0) return [now.userId]
    const told = await videoPublished.raise({ db: transaction, video: now })
    return [...told.flat(), now.userId]
  })
  failpoint('cut.published')
  deps.live.announce(notified)
}

async function record(db: DatabaseTransaction, made: Made): Promise<void> {
  const { result, files, captions, storageBytes } = made
  const { videoId } = made.cut
  const { videoFile, posterFile, width, height, soundLanguage } = result
  const duration = Math.round(result.durationSeconds)
  const facts = { videoFile, duration, width, height, storageBytes }
  await updateProcessedVideo(db, { id: videoId, result: facts })
  await updateCutFacts(db, { id: videoId, posterFile, soundLanguage })
  await insertMediaFiles(db, { videoId, files })
  await insertCutCaptions(db, { videoId, captions })
  await insertJob(db, { kind: 'ladder', videoId })
}
