import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { MediaFilesTable } from '#server/platform/db/tables/video.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { findPlayableVideo, updateClaimedJob } from '../job/job.queries.ts'
import { type JobDeps, type JobRun, publishMade, requireFile, withInputs } from '../job/job-run.ts'
import type { RunTask } from '../job/job-runner.ts'
import { nameForStore } from '../media/made-files.ts'
import {
  replaceLadder,
  retireMediaFile,
  retireOtherFiles,
  updateComingFiles,
  upsertSoundNames,
} from '../media/media-file.queries.ts'
import { replaceFoundMoments } from '../moment/moment.queries.ts'
import type { LadderResult } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { findSoundMixes } from '../sound-mix/sound-mix.queries.ts'
import { addressOf, fileIn, keyOf } from '../video/media-address.ts'
import { updateVideo } from '../video/video.queries.ts'

type PlayableVideo = NonNullable<Awaited<ReturnType<typeof findPlayableVideo>>>

/** Not the progressive file and the pictures. */
const LADDER_KINDS: MediaFilesTable['kind'][] = [
  'rendition',
  'playlist',
  'sound',
  'storyboard',
  'share',
]

export async function makeLadderOfVideo(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk } = deps
  const { job } = run
  const video = await findPlayableVideo(db, job.videoId)
  const playable = video && fileIn(video.videoUrl)
  if (!video || !playable) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const { mediaKey } = video
  const hasMix = (await findSoundMixes(db, video.id)).made !== null
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const made = await makeLadder(deps, run, { video, work, hasMix })
    const { files, nameOf } = await nameForStore(work, made.files)
    const result = renameLadder(made, nameOf)
    failpoint('ladder.made')
    const notified = await publishMade(deps, {
      payer: null,
      job,
      video,
      workFolder: work,
      files,
      moved: 'ladder.moved',
      async find(database) {
        const current = await findPlayableVideo(database, video.id)
        return current?.mediaKey === mediaKey ? current : undefined
      },
      publish: (transaction, current) =>
        storeResult(transaction, { video, current, playable, result, hasMix }),
    })
    failpoint('ladder.published')
    deps.live.announce(notified)
  } finally {
    await removeFolder(work)
  }
}

async function makeLadder(
  deps: JobDeps,
  run: JobRun,
  { video, work, hasMix }: { video: PlayableVideo; work: string; hasMix: boolean },
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
    // Workers know recorded tracks only.
    const runTask: RunTask = hasMix ? runMediaTask : run.runTask
    return runTask(
      {
        kind: 'ladder',
        sourcePath: upload ?? playablePath,
        playablePath,
        outputFolder: work,
        thumbnailPath: thumbnail ?? null,
        hasMix,
        heights: [...deps.renditionHeights],
        shareBytesMax: deps.config.chatFileBytes,
        encoder: run.encoder,
      },
      { ...deps.jobLimits, signal, onProgress },
    )
  })
}

function renameLadder(made: LadderResult, nameOf: (name: string) => string): LadderResult {
  const rename = (name: string | null) => name && nameOf(name)
  return {
    ...made,
    renditions: made.renditions.map((one) => ({
      ...one,
      file: nameOf(one.file),
      playlistFile: nameOf(one.playlistFile),
    })),
    soundTracks: made.soundTracks.map((track) => ({ ...track, file: nameOf(track.file) })),
    masterFile: nameOf(made.masterFile),
    progressiveFile: rename(made.progressiveFile),
    storyboardFile: rename(made.storyboardFile),
    cardFile: rename(made.cardFile),
    files: made.files.map((file) => ({ ...file, name: nameOf(file.name) })),
  }
}

type Publication = {
  video: PlayableVideo
  current: PlayableVideo
  playable: string
  result: LadderResult
  hasMix: boolean
}

/** @returns the users to notify */
async function storeResult(db: DatabaseTransaction, input: Publication): Promise<number[]> {
  const { video, playable, result, hasMix } = input
  const firstOther = hasMix ? 1 : 2
  const { id: videoId } = video
  const { files, cardFile, preview } = dropStalePictures(input)
  const names = files.map(({ name }) => name)
  await updateComingFiles(db, { videoId, names })
  await retireOtherFiles(db, { videoId, kinds: LADDER_KINDS, keep: names })
  await replaceLadder(db, {
    videoId,
    renditions: result.renditions.map(({ file, playlistFile, copied, ...facts }) => ({
      ...facts,
      copied: copied ? 1 : 0,
    })),
    soundTracks: result.soundTracks.map((track, index) => ({
      number: firstOther + index,
      ...track,
    })),
  })
  await replaceFoundMoments(db, { videoId, moments: result.moments })
  await upsertSoundNames(db, { videoId, names: result.soundNames })
  const best = result.progressiveFile ?? playable
  const shared = { best, playable, file: files.find(({ kind }) => kind === 'share')?.name }
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
      cardUrl: addressOf(cardFile),
      preview,
      shareUrl: addressOf((result.share && shared[result.share]) ?? null),
      loudnessLufs: result.loudnessLufs,
      soundLanguage: result.soundLanguage,
      ...(isReplaced && { width: result.width, height: result.height }),
    },
  })
  return [video.userId]
}

/** A picture that the owner chose meanwhile has its sizes. */
function dropStalePictures({
  result,
  video,
  current,
}: Publication): Pick<LadderResult, 'files' | 'cardFile' | 'preview'> {
  if (fileIn(current.thumbnailUrl) === fileIn(video.thumbnailUrl)) return result
  const files = result.files.filter(({ kind }) => kind !== 'picture')
  return { files, cardFile: fileIn(current.cardUrl), preview: current.preview }
}
