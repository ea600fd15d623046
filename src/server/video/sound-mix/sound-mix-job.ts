import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { isSameMix, type SoundMix } from '#shared/sound-mix.ts'
import { renewClips } from '../clip/clip-files.queries.ts'
import { requeueJob, updateClaimedJob } from '../job/job.queries.ts'
import { type JobDeps, type JobRun, publishMade, requireFile, withInputs } from '../job/job-run.ts'
import { nameForStore } from '../media/made-files.ts'
import {
  type NewMediaFile,
  retireClipFiles,
  retireMediaFile,
  updateComingFiles,
} from '../media/media-file.queries.ts'
import type { MixResult } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { addressOf, fileIn, keyOf } from '../video/media-address.ts'
import { updateVideo } from '../video/video.queries.ts'
import {
  deleteFirstTrack,
  findMixedVideo,
  findSoundMixes,
  insertFirstTrack,
  listMixedFiles,
  listStreamedTracks,
  upsertSoundMixes,
} from './sound-mix.queries.ts'

type MixedVideo = NonNullable<Awaited<ReturnType<typeof findMixedVideo>>>
type Mixes = Awaited<ReturnType<typeof findSoundMixes>>

export async function makeSoundMix(deps: JobDeps, run: JobRun): Promise<void> {
  const { db, disk } = deps
  const { job } = run
  const { videoId } = job
  const video = await findMixedVideo(db, videoId)
  const mixes = await findSoundMixes(db, videoId)
  if (!video || (mixes.wanted === null && mixes.made === null)) {
    await updateClaimedJob(db, { job, change: { state: 'done' } })
    return
  }
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const made = await mixSound(deps, run, { video, mixes, work })
    const { files, nameOf } = await nameForStore(work, made.files)
    failpoint('mix.made')
    const notified = await publishMade(deps, {
      ...{ job, video, workFolder: work, files },
      payer: { userId: video.userId },
      moved: 'mix.moved',
      async find(database) {
        const now = await findMixedVideo(database, videoId)
        return now?.videoUrl === video.videoUrl ? now : undefined
      },
      publish: (transaction) =>
        publish(transaction, { video, mix: mixes.wanted, made: rename(made, nameOf), files }),
    })
    failpoint('mix.published')
    deps.live.announce(notified)
  } finally {
    await removeFolder(work)
  }
}

async function mixSound(
  deps: JobDeps,
  run: JobRun,
  { video, mixes, work }: { video: MixedVideo; mixes: Mixes; work: string },
): Promise<MixResult> {
  const { id, mediaKey, videoUrl, hlsUrl, shareUrl } = video
  const { wanted: mix, made } = mixes
  const streamed = await listStreamedTracks(deps.db, id)
  const numbers = mix ? mix.tracks.map(({ number }) => number) : [1]
  const tracks = numbers.map((number) => storeKey(mediaKey, streamed.get(number) ?? ''))
  const keys = [
    ...[keyOf(mediaKey, videoUrl), keyOf(mediaKey, hlsUrl), keyOf(mediaKey, shareUrl)],
    ...tracks,
  ]
  const { signal, onProgress } = run
  return withInputs(deps, { keys, signal }, ([playable, master, share, ...paths]) =>
    runMediaTask(
      {
        kind: 'mix',
        playablePath: requireFile(playable),
        hasMix: made !== null,
        mix,
        trackPaths: paths.map(requireFile),
        masterPath: requireFile(master),
        sharePath: share ?? null,
        shareBytesMax: deps.config.chatFileBytes,
        outputFolder: work,
      },
      { ...deps.jobLimits, signal, onProgress },
    ),
  )
}

function rename(made: MixResult, nameOf: (name: string) => string): MixResult {
  const { videoFile, masterFile, firstTrackFile } = made
  return {
    ...made,
    videoFile: nameOf(videoFile),
    masterFile: nameOf(masterFile),
    firstTrackFile: firstTrackFile && nameOf(firstTrackFile),
  }
}

type Publication = {
  video: MixedVideo
  mix: SoundMix | null
  made: MixResult
  files: NewMediaFile[]
}

/** @returns the users to notify */
async function publish(
  db: DatabaseTransaction,
  { video, mix, made, files }: Publication,
): Promise<number[]> {
  const { id: videoId } = video
  const firstTrack = mix ? undefined : await deleteFirstTrack(db, videoId)
  const replaced = [
    ...[video.videoUrl, video.hlsUrl, video.shareUrl].map(fileIn),
    ...(await listMixedFiles(db, videoId)),
    firstTrack,
  ]
  const coming = files.map(({ name }) => name)
  for (const name of new Set(replaced)) {
    if (name && !coming.includes(name)) await retireMediaFile(db, { videoId, name })
  }
  await updateComingFiles(db, { videoId, names: coming })
  if (made.firstTrackFile) await insertFirstTrack(db, { videoId, file: made.firstTrackFile })
  const shareFile = files.find(({ kind }) => kind === 'share')?.name ?? null
  await updateVideo(db, {
    id: videoId,
    change: {
      videoUrl: addressOf(made.videoFile),
      hlsUrl: addressOf(made.masterFile),
      shareUrl: addressOf(made.share === 'best' ? made.videoFile : shareFile),
      loudnessLufs: made.loudnessLufs,
    },
  })
  await upsertSoundMixes(db, { videoId, made: mix })
  await retireClipFiles(db, videoId)
  await renewClips(db, videoId)
  const { wanted } = await findSoundMixes(db, videoId)
  const isCurrent = wanted && mix ? isSameMix(wanted, mix) : wanted === mix
  if (!isCurrent) await requeueJob(db, { kind: 'mix', videoId })
  return [video.userId]
}
