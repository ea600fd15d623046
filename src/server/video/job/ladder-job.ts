import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  timestamp,
} from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { removeFolder } from '#server/platform/files/durable-files.ts'
import {
  type MediaStore,
  putFiles,
  SOURCE_FILE,
  storedBytes,
  storeKey,
} from '#server/platform/files/media-store.ts'
import { addressOf, fileIn, keyOf } from '../media/media-address.ts'
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
import { type JobDeps, type JobRun, requireClaim, requireFile, withInputs } from './job-run.ts'

type PlayableVideo = NonNullable<Awaited<ReturnType<typeof findPlayableVideo>>>

/** Makes the adaptive stream of a video that plays already, and what surrounds it. */
export async function makeLadderOfVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk, media } = deps
  const { job } = run
  const video = await findPlayableVideo(db, job.videoId)
  const playable = video && fileIn(video.videoUrl)
  if (!video || !playable) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const { mediaKey } = video
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const result = await makeLadder(deps, run, { video, work })
    failpoint('ladder.made')
    const published = await withFolderLock(deps.db, mediaKey, async () => {
      await requireClaim(deps, job)
      const now = await findPlayableVideo(db, video.id)
      if (now?.mediaKey !== mediaKey) {
        await updateClaimedJob(db, { job, change: { state: 'done' } })
        return false
      }
      const made = leaveStalePictures(result, { video, now })
      await storeLadder(media, made, { mediaKey, folder: work })
      const storageBytes = await storedBytes(media, mediaKey)
      return publish(db, run, { video, playable, result: made, storageBytes })
    })
    failpoint('ladder.published')
    if (published) deps.live.announce([video.userId])
  } finally {
    await removeFolder(work)
  }
}

async function makeLadder(
  deps: JobDeps,
  run: JobRun,
  { video, work }: { video: PlayableVideo; work: string },
): Promise<LadderResult> {
  const { mediaKey, videoUrl, thumbnailUrl } = video
  const keys = [
    keyOf(mediaKey, videoUrl),
    storeKey(mediaKey, SOURCE_FILE),
    keyOf(mediaKey, thumbnailUrl),
  ]
  const { signal, onProgress } = run
  return withInputs(deps, { keys, signal }, ([playable, upload, thumbnail]) => {
    const playablePath = requireFile(playable)
    return run.runTask(
      {
        kind: 'ladder',
        sourcePath: upload ?? playablePath,
        playablePath,
        outputFolder: work,
        thumbnailPath: thumbnail ?? null,
        heights: [...deps.renditionHeights],
        encoder: run.encoder,
      },
      { ...deps.jobLimits, signal, onProgress },
    )
  })
}

/** The owner may have chosen another picture meanwhile, which has its sizes already. */
function leaveStalePictures(
  result: LadderResult,
  { video, now }: { video: PlayableVideo; now: PlayableVideo },
): LadderResult {
  if (fileIn(now.thumbnailUrl) === fileIn(video.thumbnailUrl)) return result
  const files = result.files.filter(({ kind }) => kind !== 'picture')
  return { ...result, files, cardFile: fileIn(now.cardUrl) }
}

/** The playlists come last, as they name the others. */
async function storeLadder(
  media: MediaStore,
  { files }: LadderResult,
  place: { mediaKey: string; folder: string },
): Promise<void> {
  const isPlaylist = ({ kind }: (typeof files)[number]) => kind === 'playlist'
  const named = files.filter((file) => !isPlaylist(file)).map(({ name }) => name)
  const playlists = files.filter(isPlaylist).map(({ name }) => name)
  await putFiles(media, { ...place, names: named })
  failpoint('ladder.moving')
  await putFiles(media, { ...place, names: playlists })
  failpoint('ladder.moved')
}

type Made = { video: PlayableVideo; playable: string; result: LadderResult; storageBytes: number }

/** @returns false when another attempt has the job by now */
async function publish(db: Database, { job }: JobRun, made: Made): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
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
