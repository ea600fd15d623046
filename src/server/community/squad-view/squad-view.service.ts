import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requeueJob } from '#server/video/job/job.queries.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type {
  AnswerSquadView,
  PlaceRecordings,
  SquadView,
} from '#shared/schemas/squad-view.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import {
  mayAnswer,
  mayEdit,
  mayRemove,
  NO_SUCH_VIEW,
  requireOwnsOne,
  selectShown,
} from './squad-view.access.ts'
import {
  deleteLoneSquadViews,
  deleteRecording,
  findViewOfVideo,
  listRecordingStates,
  listStoredRecordings,
  listVisibleVideos,
  type StoredRecording,
  updatePlace,
  upsertRecording,
} from './squad-view.queries.ts'

export type SquadViewDeps = Pick<AppDeps, 'db' | 'live' | 'jobs'>
type Asking = { id: number; viewer: Viewer | undefined }

async function readShown(db: Database, { id, viewer }: Asking) {
  const rows = await listStoredRecordings(db, id)
  const videos = await listVisibleVideos(db, { ids: rows.map(({ videoId }) => videoId), viewer })
  return { rows, shown: selectShown(rows, { videos, viewer }) }
}

/** @returns all recordings, also those that the viewer may not see */
export async function requireSquadView(db: Database, input: Asking) {
  const { rows, shown } = await readShown(db, input)
  if (shown.length === 0) throw new AppError('not-found', NO_SUCH_VIEW)
  return { rows, shown }
}

export async function readSquadView(db: Database, input: Asking): Promise<SquadView> {
  const view = await findSquadView(db, input)
  if (!view) throw new AppError('not-found', NO_SUCH_VIEW)
  return view
}

/** Times of the match count from the first recording, whether or not the viewer may see it. */
export async function findSquadView(db: Database, input: Asking): Promise<SquadView | undefined> {
  const { rows, shown } = await readShown(db, input)
  if (shown.length === 0) return undefined
  const { viewer } = input
  const begin = beginOf(rows)
  return {
    id: input.id,
    mayEdit: mayEdit(rows, viewer),
    recordings: shown.map((row) => ({
      video: row.video,
      offsetSeconds: row.offsetSeconds === null ? null : row.offsetSeconds - begin,
      alignment: row.alignment,
      state: row.state === 'declined' ? 'asked' : row.state,
      mayAnswer: mayAnswer(row, { rows, viewer }),
      mayRemove: mayRemove(row, { rows, viewer }),
    })),
  }
}

function beginOf(rows: readonly StoredRecording[]): number {
  const places = rows.flatMap(({ state, offsetSeconds }) =>
    state === 'in' && offsetSeconds !== null ? [offsetSeconds] : [],
  )
  return places.length === 0 ? 0 : Math.min(...places)
}

export async function readSquadViewOfVideo(
  db: Database,
  { id, viewer }: Asking,
): Promise<{ id: number | null; others: Video[]; isAsked: boolean }> {
  const video = await requireVideoOwner(db, { id, viewer })
  const none = { id: null, others: [], isAsked: false }
  const found = await findViewOfVideo(db, id)
  if (!found) return none
  const { shown } = await readShown(db, { id: found.squadViewId, viewer })
  if (!shown.some(({ videoId }) => videoId === id)) return none
  return {
    id: found.squadViewId,
    others: shown.flatMap((one) => (one.videoId === id ? [] : [one.video])),
    isAsked: found.state === 'asked' && video.userId === viewer?.id,
  }
}

/** @throws `forbidden` unless the viewer may decide, `conflict` if it is in another view meanwhile */
export async function answerSquadView(
  deps: SquadViewDeps,
  input: AnswerSquadView & { viewer: Viewer },
): Promise<void> {
  const { id, videoId, isAccepted, viewer } = input
  await inTransaction(deps.db, async (transaction) => {
    const { rows, row } = await requireRecording(transaction, input)
    if (!mayAnswer(row, { rows, viewer })) {
      throw new AppError('forbidden', 'This is decided already, or others decide it.')
    }
    if (!isAccepted) {
      await upsertRecording(transaction, { squadViewId: id, videoId, state: 'declined' })
      await deleteLoneSquadViews(transaction)
      return
    }
    const states = await listRecordingStates(transaction, [videoId])
    if (states.some(({ state }) => state === 'in')) {
      throw new AppError('conflict', `The recording “${row.title}” is part of another squad view.`)
    }
    await upsertRecording(transaction, { squadViewId: id, videoId, state: 'in' })
  })
}

/** @throws `forbidden` unless the viewer owns it, or takes back what they asked */
export async function removeRecording(
  { db }: SquadViewDeps,
  input: { id: number; videoId: number; viewer: Viewer },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { rows, row } = await requireRecording(transaction, input)
    if (!mayRemove(row, { rows, viewer: input.viewer })) {
      throw new AppError('forbidden', 'Only its owner can take this recording out.')
    }
    const recording = { squadViewId: input.id, videoId: input.videoId }
    if (row.userId === input.viewer.id && row.state !== 'offered') {
      await upsertRecording(transaction, { ...recording, state: 'declined' })
    } else await deleteRecording(transaction, recording)
    await deleteLoneSquadViews(transaction)
  })
}

async function requireRecording(
  db: DatabaseTransaction,
  { id, videoId, viewer }: { id: number; videoId: number; viewer: Viewer },
) {
  const { rows, shown } = await requireSquadView(db, { id, viewer })
  const row = shown.find((one) => one.videoId === videoId)
  if (!row) throw new AppError('not-found', 'This recording is not in the squad view.')
  return { rows, row }
}

/** By hand. Sounds are not compared again for these. */
export async function placeRecordings(
  { db }: SquadViewDeps,
  { id, places, viewer }: PlaceRecordings & { viewer: Viewer },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { rows, shown } = await requireSquadView(transaction, { id, viewer })
    requireOwnsOne(rows, viewer)
    const begin = beginOf(rows)
    for (const { videoId, offsetSeconds } of places) {
      if (!shown.some((one) => one.videoId === videoId)) {
        throw new AppError('not-found', 'This recording is not in the squad view.')
      }
      const place = { alignment: 'hand' as const, offsetSeconds: offsetSeconds + begin }
      await updatePlace(transaction, { squadViewId: id, videoId, place })
    }
  })
}

/** Compares the sounds of those that have no place yet. */
export async function alignAgain(
  { db, jobs }: SquadViewDeps,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { rows } = await requireSquadView(transaction, { id, viewer })
    requireOwnsOne(rows, viewer)
    await enqueueAlignment(transaction, rows)
  })
  jobs.wake()
}

export async function enqueueAlignment(
  db: DatabaseTransaction,
  rows: readonly StoredRecording[],
): Promise<void> {
  const members = rows.filter(({ state }) => state !== 'declined')
  // The job finds the view by this one, and only one that is `in` is in no other view.
  const first = members.find(({ state }) => state === 'in')
  if (!first) return
  for (const { squadViewId, videoId, alignment } of members) {
    if (alignment !== 'none') continue
    const place = { alignment: 'waiting' as const, offsetSeconds: null }
    await updatePlace(db, { squadViewId, videoId, place })
  }
  await requeueJob(db, { kind: 'align', videoId: first.videoId })
}
