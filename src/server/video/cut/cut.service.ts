import { estimateCut } from '#server/account/room/estimates.ts'
import { requireRoom } from '#server/account/room/room.service.ts'
import { findStanding } from '#server/account/user/user.queries.ts'
import { type DatabaseTransaction, inTransaction } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { cutLength, moveTimesInDescription, timeAfterCut } from '#shared/cut-times.ts'
import { CUT_KEPT_DAYS, CUT_SECONDS_MIN, TITLE_MAX } from '#shared/limits.ts'
import type { CutPart, CutSource, CutState, StartCut } from '#shared/schemas/cut.schemas.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { findClippedVideo } from '../clip/clip.queries.ts'
import { requireClipOwner } from '../clip/clip.service.ts'
import { insertJob } from '../job/job.queries.ts'
import { explainMediaFailure } from '../media/redraw-picture.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { approvalOf } from '../video/approval.ts'
import { requireEditable } from '../video/video.access.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { finishDeletion } from '../video/video-deletion.ts'
import { markVideosAsDeleting } from '../video/video-rows.queries.ts'
import {
  deleteCut,
  deletePreviousRecordings,
  findCutSource,
  findOpenCut,
  findPreviousRecording,
  insertCut,
  insertCutVideo,
  listFailedCuts,
} from './cut.queries.ts'
import {
  requireBestFile,
  requireCuttable,
  requireIdle,
  requirePlayedFile,
  requirePlaying,
  withIndex,
} from './cut-source.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'jobs' | 'deadline'>
type Asking = { videoId: number; viewer: Viewer }

const DAY_MS = 24 * 60 * 60 * 1000
const TIMEOUT_MS = 30_000
/** Stored lengths are rounded. */
const ROUNDING_SECONDS = 1
const SUFFIX = ' (cut)'

/** @throws `conflict` while it does not play */
export async function describeSource(deps: Deps, input: Asking): Promise<CutSource> {
  const video = await requireCuttable(deps.db, input)
  const options = { timeoutMs: TIMEOUT_MS, signal: deps.deadline, memberId: input.viewer.id }
  try {
    const inspect = (file: Awaited<ReturnType<typeof requireBestFile>>) =>
      withIndex(deps, file, (sourcePath) =>
        runMediaTask({ kind: 'key-frames', sourcePath }, options),
      )
    const [best, played] = [
      await requireBestFile(deps, video),
      await requirePlayedFile(deps, video),
    ]
    const found = await inspect(best)
    // The played file may have another rate, such as the field rate of an interlaced upload.
    const seen = played.key === best.key ? found : await inspect(played)
    const frameRate = seen.frameRate || found.frameRate
    return { ...found, frameRate, bringBackUntil: await findBringBackTime(deps, video.id) }
  } catch (error) {
    throw explainMediaFailure(error)
  }
}

/**
 * @returns the video that will show the result
 * @throws `invalid` parts; `conflict` while not playing, replaced or cut; `too-large`; `no-space`
 */
export async function startCut(
  deps: Deps,
  input: StartCut & { viewer: Viewer },
): Promise<{ videoId: number }> {
  const { parts, viewer } = input
  const video = await requireCuttable(deps.db, input)
  requireParts(parts, video.duration)
  const replaces = input.as === 'replace'
  const title = input.title ?? cutText(video.title, TITLE_MAX - SUFFIX.length) + SUFFIX
  const move = timeAfterCut(parts)
  const description = moveTimesInDescription(video.description, move, video.duration)
  const newId = await queueCut(deps, {
    ...{ video, parts, title, description, replaces, userId: viewer.id },
  })
  return { videoId: replaces ? video.id : newId }
}

/** @throws as `startCut`, and `forbidden` where the owner does not allow it */
export async function saveClip(
  deps: Deps,
  { clipId, viewer }: { clipId: number; viewer: Viewer },
): Promise<{ videoId: number }> {
  const clip = await requireClipOwner(deps.db, { id: clipId, viewer })
  const { title, startSeconds, endSeconds } = clip
  const allowed = await findClippedVideo(deps.db, { id: clip.videoId, viewer })
  if (clip.ownerId !== viewer.id && allowed?.allowsClipVideos !== 1) {
    throw new AppError('forbidden', 'The owner of this video does not let others save its clips.')
  }
  const video = await requirePlaying(deps.db, clip.videoId)
  const parts = [{ fromSeconds: startSeconds, toSeconds: endSeconds }]
  const description = `A clip of “${video.title}”.`
  const queued = { video, parts, title, description, replaces: false, userId: viewer.id }
  return { videoId: await queueCut(deps, queued) }
}

type NewCut = {
  video: Awaited<ReturnType<typeof requirePlaying>>
  parts: CutPart[]
  title: string
  description: string
  replaces: boolean
  userId: number
}

async function queueCut(deps: Deps, cut: NewCut): Promise<number> {
  const { video, parts, title, description, replaces, userId } = cut
  const best = await requireBestFile(deps, video)
  const source = { seconds: video.duration, bytes: best.bytes }
  const bytes = estimateCut({ seconds: cutLength(parts), source })
  const room = { config: deps.config, bytes, freeBytes: await deps.disk.freeBytes() }
  const newId = await inTransaction(deps.db, async (transaction) => {
    if ((await findCutSource(transaction, video.id))?.mediaKey !== video.mediaKey) {
      throw new AppError('conflict', 'This video was changed meanwhile. Please try again.')
    }
    await requireIdle(transaction, { id: video.id, userId })
    await requireRoom(transaction, { ...room, userId })
    const duration = Math.round(cutLength(parts))
    const asUpload = video.userId === userId ? null : await asUploadOf(transaction, userId)
    const texts = { title, description, duration }
    const row = { sourceId: video.id, userId, ...texts, isHidden: replaces, asUpload }
    if (replaces) await forgetFailedCuts(transaction, video.id)
    const videoId = await insertCutVideo(transaction, row)
    const sourceVideoId = video.id
    const { mediaKey: sourceMediaKey } = video
    const cut = { videoId, sourceVideoId, sourceMediaKey, replaces: replaces ? 1 : 0 } as const
    await insertCut(transaction, { ...cut, parts })
    await insertJob(transaction, { kind: 'cut', videoId })
    return videoId
  })
  failpoint('cut.queued')
  deps.jobs.wake(newId)
  return newId
}

async function asUploadOf(db: DatabaseTransaction, userId: number) {
  const settings = await findSiteSettings(db)
  const isAnonymous: Flag = settings.anonymousByDefault ? 1 : 0
  return { ...approvalOf(await findStanding(db, userId), settings), isAnonymous }
}

/** A retry would cut the new result. */
async function forgetFailedCuts(db: DatabaseTransaction, sourceVideoId: number): Promise<void> {
  const failed = await listFailedCuts(db, sourceVideoId)
  for (const videoId of failed) await deleteCut(db, videoId)
  await markVideosAsDeleting(db, failed)
}

export async function describeCut({ db }: Pick<Deps, 'db'>, input: Asking): Promise<CutState> {
  const { videoId, viewer } = input
  requireEditable(await requireVideoOwner(db, { id: videoId, viewer }), viewer)
  const cut = await findOpenCut(db, { videoId, userId: viewer.id })
  const state = {
    queued: 'waiting',
    running: 'running',
    failed: 'failed',
    done: 'running',
  } as const
  return {
    cut: cut
      ? {
          videoId: cut.videoId,
          as: cut.replaces ? 'replace' : 'new',
          state: cut.processingState === 'failed' ? 'failed' : state[cut.state ?? 'queued'],
          percent: cut.percent ?? 0,
          secondsLeft: cut.secondsLeft,
          error: cut.processingError,
        }
      : null,
    bringBackUntil: await findBringBackTime({ db }, videoId),
  }
}

/** @throws `conflict` without a previous recording */
export async function deletePreviousRecording(
  deps: Pick<Deps, 'config' | 'db' | 'media' | 'jobs'>,
  { videoId, viewer }: Asking,
): Promise<void> {
  requireEditable(await requireVideoOwner(deps.db, { id: videoId, viewer }), viewer)
  const ids = await inTransaction(deps.db, (transaction) =>
    deletePreviousRecordings(transaction, videoId),
  )
  if (ids.length === 0) {
    throw new AppError('conflict', 'There is no earlier recording of this video to delete.')
  }
  for (const id of ids) await finishDeletion(deps, id)
}

async function findBringBackTime({ db }: Pick<Deps, 'db'>, id: number): Promise<string | null> {
  const previous = await findPreviousRecording(db, id)
  if (!previous?.parkedAt) return null
  return new Date(Date.parse(previous.parkedAt) + CUT_KEPT_DAYS * DAY_MS).toISOString()
}

function requireParts(parts: readonly CutPart[], durationSeconds: number): void {
  let end = 0
  for (const { fromSeconds, toSeconds } of parts) {
    if (toSeconds <= fromSeconds) throw new AppError('invalid', 'A part ends before it begins.')
    if (fromSeconds < end) {
      throw new AppError('invalid', 'The parts must follow each other without overlapping.')
    }
    end = toSeconds
  }
  if (end > durationSeconds + ROUNDING_SECONDS) {
    throw new AppError('invalid', 'A part lies beyond the end of the video.')
  }
  if (cutLength(parts) < CUT_SECONDS_MIN) {
    throw new AppError('invalid', 'Keep at least one second of the video.')
  }
}
