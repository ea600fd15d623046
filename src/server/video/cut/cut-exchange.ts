import { requireRoom } from '#server/account/room/room.service.ts'
import { type DatabaseTransaction, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  type MoveTime,
  moveTimesInDescription,
  timeAfterCut,
  timeBeforeCut,
} from '#shared/cut-times.ts'
import type { CutPart } from '#shared/schemas/cut.schemas.ts'
import { updateClip } from '../clip/clip.queries.ts'
import { listClipRanges, moveClips } from '../clip/clip-files.queries.ts'
import { insertJob } from '../job/job.queries.ts'
import { copyFoundMoments, moveMarks, swapFoundMoments } from '../moment/moment-times.queries.ts'
import { moveReactions } from '../reaction/reaction-times.queries.ts'
import { swapRecordings } from '../replacement/replacement.queries.ts'
import { recordingCut } from '../video/video.events.ts'
import { finishDeletion } from '../video/video-deletion.ts'
import {
  type BeforeCut,
  deleteCut,
  findCutSource,
  findPreviousRecording,
  updateDescription,
  updatePreviousRecording,
} from './cut.queries.ts'
import { requireBestFile, requireCuttable, requireIdle } from './cut-source.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'jobs' | 'live'>

export async function replaceSource(
  db: DatabaseTransaction,
  cut: { videoId: number; sourceVideoId: number; parts: readonly CutPart[] },
): Promise<void> {
  const { videoId: hiddenId, sourceVideoId: videoId, parts } = cut
  const source = await findCutSource(db, videoId)
  const clips = await listClipRanges(db, videoId)
  const move = timeAfterCut(parts)
  await swapRecordings(db, { videoId, hiddenId })
  await swapFoundMoments(db, { videoId, hiddenId })
  await copyFoundMoments(db, { videoId, hiddenId, move })
  await moveTimes(db, { videoId, move, maxSeconds: source?.duration ?? 0 })
  const was = source?.description ?? ''
  const became = (await findCutSource(db, videoId))?.description ?? ''
  const moved = new Map((await listClipRanges(db, videoId)).map(({ id, ...range }) => [id, range]))
  const ranges = clips.flatMap(({ id, ...range }) => {
    const now = moved.get(id)
    return now ? [{ id, was: range, became: now }] : []
  })
  const before = { description: { was, became }, clips: ranges }
  await updatePreviousRecording(db, { videoId: hiddenId, parts, before })
}

/**
 * Deletes the cut one.
 * @throws `conflict` without a previous one or during a cut or replacement, `too-large` if it alone
 * exceeds the quota
 */
export async function restorePreviousRecording(
  deps: Deps,
  input: { videoId: number; viewer: Viewer },
): Promise<void> {
  const { videoId, viewer } = input
  const { config } = deps
  await requireCuttable(deps.db, input)
  const kept = await findPreviousRecording(deps.db, videoId)
  // A restored backup may lack it.
  if (kept) await requireBestFile(deps, kept)
  const hiddenId = await inTransaction(deps.db, async (transaction) => {
    const previous = await findPreviousRecording(transaction, videoId)
    if (!previous) {
      throw new AppError('conflict', 'There is no earlier recording of this video to bring back.')
    }
    await requireIdle(transaction, { id: videoId, userId: viewer.id })
    const { parts, videoId: previousId } = previous
    const now = await findCutSource(transaction, videoId)
    // Both count already: only what remains has to fit.
    const bytes = (now?.clipBytes ?? 0) - (now?.storageBytes ?? 0)
    await requireRoom(transaction, { config, userId: viewer.id, bytes, freeBytes: null })
    await swapRecordings(transaction, { videoId, hiddenId: previousId })
    await swapFoundMoments(transaction, { videoId, hiddenId: previousId })
    const untouched = await listUntouchedClips(transaction, { videoId, before: previous.before })
    const text =
      now?.description === previous.before?.description.became && previous.before?.description
    await deleteCut(transaction, previousId)
    await moveTimes(transaction, {
      videoId,
      move: timeBeforeCut(parts),
      maxSeconds: now?.duration ?? 0,
    })
    // Mapping back is ambiguous at joints, so unedited texts and ranges come from a copy.
    if (text) await updateDescription(transaction, { id: videoId, description: text.was })
    for (const { id, was } of untouched) await updateClip(transaction, { id, change: was })
    if (previous.hlsUrl === null) await insertJob(transaction, { kind: 'ladder', videoId })
    return previousId
  })
  failpoint('cut.brought-back')
  deps.live.announce([viewer.id])
  await deps.jobs.cancel(videoId)
  deps.jobs.wake(videoId)
  await finishDeletion(deps, hiddenId)
}

async function listUntouchedClips(
  db: DatabaseTransaction,
  { videoId, before }: { videoId: number; before: BeforeCut | null },
): Promise<BeforeCut['clips']> {
  const now = new Map((await listClipRanges(db, videoId)).map((clip) => [clip.id, clip]))
  return (before?.clips ?? []).filter(({ id, became }) => {
    const clip = now.get(id)
    return clip?.startSeconds === became.startSeconds && clip.endSeconds === became.endSeconds
  })
}

async function moveTimes(
  db: DatabaseTransaction,
  input: { videoId: number; move: MoveTime; maxSeconds: number },
): Promise<void> {
  const { videoId, move, maxSeconds } = input
  const video = await findCutSource(db, videoId)
  if (!video) return
  const description = moveTimesInDescription(video.description, move, maxSeconds)
  await updateDescription(db, { id: videoId, description })
  await moveMarks(db, { videoId, move })
  await moveReactions(db, { videoId, move, durationSeconds: video.duration })
  await recordingCut.raise({ db, videoId, move, maxSeconds })
  await moveClips(db, { videoId, move })
}
