import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { estimatePlannedClip, requireRoom } from '#server/account/room/room.service.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { type ClaimedJob, findPlayableVideo, updateClaimedJob } from '../job/job.queries.ts'
import { insertJobLog } from '../job/job-log.queries.ts'
import { type JobDeps, type JobRun, requireFile, withInputs } from '../job/job-run.ts'
import {
  describeFailure,
  FAILURES_MAX,
  isOverQuota,
  ownerMessage,
  waitsForStorage,
} from '../job/job-settlement.ts'
import { measureFiles } from '../media/made-files.ts'
import { updateComingFiles } from '../media/media-file.queries.ts'
import { addFiles } from '../media/media-folder.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  UnplayableSourceError,
} from '../processing/media-errors.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { withFolderLock } from '../video/folder-lock.ts'
import { keyOf } from '../video/media-address.ts'
import { findWantedClip, updateBegunClip, updateWantedClip } from './clip-files.queries.ts'

type PlayableVideo = NonNullable<Awaited<ReturnType<typeof findPlayableVideo>>>
type WantedClip = NonNullable<Awaited<ReturnType<typeof findWantedClip>>>

/** One clip per run, charged to its maker; makers take turns. */
export async function makeClipFiles(deps: JobDeps, run: JobRun): Promise<void> {
  const { db } = deps
  const next = await findNextOrEnd(db, run.job)
  if (!next) return
  const failure = await makeFiles(deps, run, next).then(
    () => null,
    (error: unknown) => error,
  )
  if (failure !== null && !isHopeless(failure, run)) throw failure
  await inTransaction(db, async (transaction) => {
    if (!(await updateClaimedJob(transaction, { job: run.job, change: { percent: 100 } }))) return
    if (failure !== null) {
      await updateWantedClip(transaction, { clip: next.clip, change: { fileState: 'failed' } })
      await insertJobLog(transaction, run.job.id, describeClipFailure(next.clip, failure))
    }
    const isLast = !(await findWantedClip(transaction, run.job))
    const now = timestamp()
    // A later clip queues the job again.
    const error = failure === null ? null : ownerMessage(failure)
    const change = { ...(isLast ? doneAt(now) : queuedAt(now)), error }
    await updateClaimedJob(transaction, { job: run.job, change })
  })
}

async function findNextOrEnd(db: Database, job: ClaimedJob) {
  return inTransaction(db, async (transaction) => {
    if (!(await updateClaimedJob(transaction, { job, change: { percent: 0 } }))) return
    const video = await findPlayableVideo(transaction, job.videoId)
    const clip = video && (await findWantedClip(transaction, job))
    if (clip) {
      // The planned clip may be gone.
      await updateClaimedJob(transaction, { job, change: { makerId: clip.userId } })
      await updateBegunClip(transaction, clip.id)
      return { video, clip }
    }
    await updateClaimedJob(transaction, { job, change: doneAt(timestamp()) })
  })
}

const describeClipFailure = ({ startSeconds, endSeconds }: WantedClip, failure: unknown) =>
  `Clip of ${startSeconds} s to ${endSeconds} s: ${describeFailure(failure)}`

const doneAt = (now: string) => ({ state: 'done' as const, percent: 100, finishedAt: now })
const queuedAt = (now: string) => ({
  state: 'queued' as const,
  ...{ runAfter: now, createdAt: now, failures: 0, interruptions: 0, percent: 0 },
})

function isHopeless(error: unknown, { job, signal }: JobRun): boolean {
  if (signal.aborted || error instanceof MediaInterruptedError || waitsForStorage(error))
    return false
  const isClips = error instanceof MediaFailedError || error instanceof UnplayableSourceError
  return isClips || isOverQuota(error) || job.failures + 1 >= FAILURES_MAX
}

async function makeFiles(
  deps: JobDeps,
  run: JobRun,
  { video, clip }: { video: PlayableVideo; clip: WantedClip },
): Promise<void> {
  const { config, disk } = deps
  const { id: videoId, mediaKey } = video
  const { job } = run
  const { userId } = clip
  // A plan may exceed the quota by now, as after a new recording.
  await inTransaction(deps.db, (transaction) =>
    requireRoom(transaction, { config, userId, bytes: 0, freeBytes: null }),
  )
  // No cache has other bytes.
  const prefix = `clip-${clip.id}-`
  const name = prefix + randomBytes(4).toString('hex')
  const shareFile = `${name}.mp4`
  const work = await disk.openWorkFolder(`job-${job.id}-${job.attempt}`)
  try {
    const options = { ...deps.jobLimits, signal: run.signal, onProgress: run.onProgress }
    const { startSeconds, endSeconds } = clip
    const outputPath = join(work, shareFile)
    const range = { startSeconds, endSeconds }
    const pictures = await withInputs(
      deps,
      { keys: [keyOf(mediaKey, video.videoUrl)], signal: run.signal },
      async ([path]) => {
        const sourcePath = requireFile(path)
        await runMediaTask({ kind: 'clip', sourcePath, outputPath, ...range }, options)
        return runMediaTask(
          { kind: 'poster', sourcePath, outputFolder: work, name, atSeconds: startSeconds },
          options,
        )
      },
    )
    const pictureFile = pictures.cardFile ?? pictures.posterFile
    const shown = new Set([pictureFile, pictures.posterFile])
    const made = await measureFiles(work, [
      { name: shareFile, kind: 'share' },
      ...pictures.files.filter((file) => shown.has(file.name)),
    ])
    const files = made.map((file) => ({ ...file, makerId: userId }))
    await withFolderLock(deps.db, mediaKey, () =>
      addFiles(deps, {
        ...{ video, workFolder: work, files },
        payer: {
          userId,
          planned: (db) => estimatePlannedClip(db, { id: clip.id, videoId, prefix }),
        },
        publish: async (transaction) => {
          const change = { fileState: 'made' as const, shareFile, pictureFile }
          // Otherwise the files stay retired.
          if (!(await updateClaimedJob(transaction, { job, change: { percent: 100 } }))) return
          if (!(await updateWantedClip(transaction, { clip, change }))) return
          await updateComingFiles(transaction, { videoId, names: files.map((file) => file.name) })
        },
      }),
    )
  } finally {
    await removeFolder(work)
  }
}
