import { estimatePlanned } from '#server/account/room/room.service.ts'
import { type DatabaseTransaction, inTransaction } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import {
  findPlayableVideo,
  findVideoToProcess,
  insertJob,
  updateClaimedJob,
  updateProcessedVideo,
} from '../job/job.queries.ts'
import { type JobDeps, type JobRun, publishMade, requireFile, withInputs } from '../job/job-run.ts'
import { type MadeFile, measureFiles, nameForStore } from '../media/made-files.ts'
import { type NewMediaFile, updateComingFiles } from '../media/media-file.queries.ts'
import { UnplayableSourceError } from '../processing/media-errors.ts'
import type { CutResult } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { copySoundSettings, findSoundMixes } from '../sound-mix/sound-mix.queries.ts'
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
import { replaceSource } from './cut-exchange.ts'
import { requireBestFile, requirePlayedFile } from './cut-source.ts'

type Cut = NonNullable<Awaited<ReturnType<typeof findCut>>>
type Made = {
  cut: Cut & { sourceVideoId: number }
  result: CutResult
  files: NewMediaFile[]
  captions: CutCaptions[]
  hasMix: boolean
}

const SOURCE_DELETED = 'The video that this is cut from was deleted.'
const NOT_ALLOWED = 'The owner of the video does not let others save its clips any more.'
const SOURCE_CHANGED = 'The video that this is cut from changed meanwhile. Please cut it again.'

export async function cutRecording(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk } = deps
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
    // Only the file that plays has the owner's mix.
    const hasMix = (await findSoundMixes(db, sourceVideoId)).made !== null
    const { key } = await (hasMix ? requirePlayedFile : requireBestFile)(deps, source)
    const result = await withInputs(deps, { keys: [key], signal }, ([path]) =>
      runMediaTask(
        {
          ...{ kind: 'cut', sourcePath: requireFile(path), outputFolder: work, parts, encoder },
          keepsSoundOrder: hasMix,
        },
        { ...deps.jobLimits, signal, onProgress },
      ),
    )
    const captions = await writeCutCaptions(deps, { source, parts: result.parts, work })
    const { files, nameOf } = await nameForStore(work, listMade(result))
    const texts = captions.map(({ file }) => ({ name: file, kind: 'captions' as const }))
    files.push(...(await measureFiles(work, texts)))
    failpoint('cut.made')
    const { videoFile, posterFile } = result
    const stored = { videoFile: nameOf(videoFile), posterFile: posterFile && nameOf(posterFile) }
    const notified = await publishMade(deps, {
      ...{ job, video, workFolder: work, files },
      payer: { userId: video.userId, planned: (database) => estimatePlanned(database, video.id) },
      moved: 'cut.moved',
      find: (database) => findVideoToProcess(database, job.videoId),
      publish: (transaction, now) =>
        publish(transaction, {
          video: now,
          made: {
            cut: { ...cut, sourceVideoId },
            result: { ...result, ...stored },
            files,
            captions,
            hasMix,
          },
        }),
    })
    failpoint('cut.published')
    deps.live.announce(notified)
  } finally {
    await removeFolder(work)
  }
}

async function giveUp({ db }: JobDeps, { job }: JobRun, cut: Cut): Promise<void> {
  if (cut.replaces === 0) throw new UnplayableSourceError(SOURCE_DELETED)
  await inTransaction(db, async (transaction) => {
    await markVideosAsDeleting(transaction, [cut.videoId])
    await updateClaimedJob(transaction, { job, change: { state: 'done' } })
  })
}

function listMade({ videoFile, posterFile }: CutResult): MadeFile[] {
  const video: MadeFile = { name: videoFile, kind: 'video' }
  return posterFile === null ? [video] : [video, { name: posterFile, kind: 'picture' }]
}

async function publish(
  db: DatabaseTransaction,
  {
    video,
    made,
  }: { video: NonNullable<Awaited<ReturnType<typeof findVideoToProcess>>>; made: Made },
): Promise<number[]> {
  await record(db, made)
  const { videoId, sourceVideoId, replaces } = made.cut
  if (replaces === 1) {
    const source = await findPlayableVideo(db, sourceVideoId)
    if (source?.mediaKey !== made.cut.sourceMediaKey) {
      throw new UnplayableSourceError(SOURCE_CHANGED)
    }
    const { parts } = made.result
    await replaceSource(db, { videoId, sourceVideoId, parts })
    return [video.userId]
  }
  await deleteCut(db, videoId)
  if (video.contentApproved === 0) return [video.userId]
  const notified = await videoPublished.raise({ db, video })
  return [...notified.flat(), video.userId]
}

async function record(db: DatabaseTransaction, made: Made): Promise<void> {
  const { result, files, captions } = made
  const { videoId } = made.cut
  const { videoFile, posterFile, width, height, soundLanguage } = result
  const duration = Math.round(result.durationSeconds)
  await updateComingFiles(db, { videoId, names: files.map(({ name }) => name) })
  await updateProcessedVideo(db, { id: videoId, result: { videoFile, duration, width, height } })
  await updateCutFacts(db, { id: videoId, posterFile, soundLanguage })
  await insertCutCaptions(db, { videoId, captions })
  await copySoundSettings(db, {
    fromId: made.cut.sourceVideoId,
    toId: videoId,
    hasMix: made.hasMix,
  })
  await insertJob(db, { kind: 'ladder', videoId })
}
