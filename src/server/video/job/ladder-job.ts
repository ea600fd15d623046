import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import {
  exists,
  folderBytes,
  removeFolder,
  syncFile,
  syncFolder,
} from '#server/platform/files/durable-files.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { addressOf, fileIn } from '../media/media-address.ts'
import {
  insertMediaFiles,
  replaceLadder,
  retireMediaFile,
  upsertSoundNames,
} from '../media/media-file.queries.ts'
import { withFolderLock } from '../media/media-folder.ts'
import { replaceFoundMoments } from '../moment/moment.queries.ts'
import type { LadderResult } from '../processing/tasks/media-task.ts'
import { updateVideo } from '../video/video.queries.ts'
import { findPlayableVideo, updateClaimedJob } from './job.queries.ts'
import { type JobDeps, type JobRun, requireFile } from './job-run.ts'

type PlayableVideo = NonNullable<Awaited<ReturnType<typeof findPlayableVideo>>>

/** Makes the adaptive stream of a video that plays already, and what surrounds it. */
export async function makeLadderOfVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk } = deps
  const { job } = run
  const video = await findPlayableVideo(db, job.videoId)
  const playable = video && fileIn(video.videoUrl)
  if (!video || !playable) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const folder = disk.mediaFolder(video.mediaKey)
  const playablePath = join(folder, playable)
  const uploadPath = join(folder, SOURCE_FILE)
  const thumbnail = fileIn(video.thumbnailUrl)
  await requireFile(playablePath)
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const result = await run.runTask(
      {
        kind: 'ladder',
        sourcePath: (await exists(uploadPath)) ? uploadPath : playablePath,
        playablePath,
        outputFolder: work,
        thumbnailPath: thumbnail && join(folder, thumbnail),
        heights: [...deps.renditionHeights],
        encoder: run.encoder,
      },
      { ...deps.jobLimits, signal: run.signal, onProgress: run.onProgress },
    )
    failpoint('ladder.made')
    const published = await withFolderLock(video.mediaKey, async () => {
      const made = await leaveStalePictures(db, { video, result })
      await moveFiles(made, { from: work, to: folder })
      const storageBytes = await folderBytes(folder)
      return publish(db, run, { video, playable, result: made, storageBytes })
    })
    failpoint('ladder.published')
    if (published) deps.live.announce([video.userId])
  } finally {
    await removeFolder(work)
  }
}

/** The owner may have chosen another picture meanwhile, which has its sizes already. */
async function leaveStalePictures(
  db: Database,
  { video, result }: { video: PlayableVideo; result: LadderResult },
): Promise<LadderResult> {
  const now = await findPlayableVideo(db, video.id)
  if (fileIn(now?.thumbnailUrl ?? null) === fileIn(video.thumbnailUrl)) return result
  const files = result.files.filter(({ kind }) => kind !== 'picture')
  return { ...result, files, cardFile: fileIn(now?.cardUrl ?? null) }
}

async function moveFiles(
  { files }: LadderResult,
  folders: { from: string; to: string },
): Promise<void> {
  for (const { name } of files) await syncFile(join(folders.from, name))
  for (const { name } of files) {
    await rename(join(folders.from, name), join(folders.to, name))
    failpoint('ladder.moving')
  }
  await syncFolder(folders.to)
  failpoint('ladder.moved')
}

type Made = { video: PlayableVideo; playable: string; result: LadderResult; storageBytes: number }

/** @returns false when another attempt has the job by now */
async function publish(db: Database, { job }: JobRun, made: Made): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const change = { state: 'done' as const, percent: 100, finishedAt: timestamp() }
    if (!(await updateClaimedJob(transaction, { job, change }))) return false
    await record(transaction, made)
    return true
  })
}

async function record(db: DatabaseTransaction, input: Made): Promise<void> {
  const { video, playable, result, storageBytes } = input
  const { id: videoId } = video
  await insertMediaFiles(db, { videoId, files: result.files })
  await replaceLadder(db, {
    videoId,
    renditions: result.renditions.map(({ file, playlistFile, copied, ...facts }) => ({
      ...facts,
      copied: copied ? 1 : 0,
    })),
    soundTracks: result.soundTracks.map((track, index) => ({ number: index + 2, ...track })),
  })
  await replaceFoundMoments(db, { videoId, moments: result.moments })
  await upsertSoundNames(db, { videoId, names: result.soundNames })
  const best = result.progressiveFile ?? playable
  const shared = { best, playable, file: result.files.find(({ kind }) => kind === 'share')?.name }
  const isReplaced = result.progressiveFile !== null && result.progressiveFile !== playable
  if (isReplaced && result.share !== 'playable') {
    await retireMediaFile(db, { videoId, name: playable })
  }
  await updateVideo(db, {
    id: videoId,
    change: {
      videoUrl: addressOf(best),
      hlsUrl: addressOf(result.masterFile),
      storyboardUrl: addressOf(result.storyboardFile),
      cardUrl: addressOf(result.cardFile),
      shareUrl: addressOf((result.share && shared[result.share]) ?? null),
      loudnessLufs: result.loudnessLufs,
      soundLanguage: result.soundLanguage,
      storageBytes,
      ...(isReplaced && { width: result.width, height: result.height }),
    },
  })
}
