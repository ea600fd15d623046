import { inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireEditable } from '#server/video/video/video.access.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { ProposeSquadView } from '#shared/schemas/squad-view.schemas.ts'
import { SQUAD_VIEW_MAX } from '#shared/squad-views.ts'
import { insertForListening } from '../notification/muted.queries.ts'
import type { NewNotification } from '../notification/notification.queries.ts'
import {
  insertSquadView,
  listRecordingStates,
  listStoredRecordings,
  upsertRecording,
} from './squad-view.queries.ts'
import { enqueueAlignment, type SquadViewDeps } from './squad-view.service.ts'

type Proposed = Awaited<ReturnType<typeof requireVideoOwner>>

/**
 * Puts an own video beside others: into the view of one of them, or a new one. Owners of the others
 * are asked, and those of a view that there is, too.
 * @returns the view
 * @throws `invalid` without an other, `conflict` if one is in another view, declined or too many
 */
export async function proposeSquadView(
  { db, live, jobs, limits }: SquadViewDeps & Pick<AppDeps, 'limits'>,
  { videoId, otherIds, viewer }: ProposeSquadView & { viewer: Viewer },
): Promise<{ id: number }> {
  const own = await requireVideoOwner(db, { id: videoId, viewer })
  requireEditable(own, viewer)
  const others: Proposed[] = []
  for (const id of otherIds.filter((one) => one !== videoId)) {
    others.push(await requireVideoOwner(db, { id, viewer }))
  }
  if (others.length === 0) {
    throw new AppError('invalid', 'Choose a recording other than this one.')
  }
  const toTell = new Set<number>()
  for (const { id, userId } of others) {
    if (userId === viewer.id) continue
    if (await limits.squadNotices.isWithin(`squad view ${viewer.id} ${id}`)) toTell.add(id)
  }
  const { id, told } = await inTransaction(db, async (transaction) => {
    const ids = [videoId, ...others.map((other) => other.id)]
    const states = await listRecordingStates(transaction, ids)
    const known = states.find((one) => one.videoId === videoId && one.state === 'in')
    const theirs = states.find((one) => one.state === 'in')
    const squadViewId = (known ?? theirs)?.squadViewId ?? (await insertSquadView(transaction))
    const before = await listStoredRecordings(transaction, squadViewId)
    const members = before.filter(({ state }) => state === 'in')
    const isGuest = !known && members.length > 0 && !members.some(isOf(viewer))
    const notifications = isGuest ? members.map((row) => questionTo(row, own)) : []
    // Those in the view decide whom else to ask.
    for (const video of isGuest ? [own] : [own, ...others]) {
      const mine = states.filter((one) => one.videoId === video.id)
      requireFree(video, { states: mine, squadViewId, viewer })
      if (mine.some((one) => one.squadViewId === squadViewId && one.state !== 'declined')) continue
      const state = video.userId !== viewer.id ? 'asked' : isGuest ? 'offered' : 'in'
      await upsertRecording(transaction, { squadViewId, videoId: video.id, state })
      if (state === 'asked' && toTell.has(video.id)) {
        notifications.push(questionTo({ ...video, videoId: video.id }, own))
      }
    }
    const rows = await listStoredRecordings(transaction, squadViewId)
    if (rows.filter(({ state }) => state !== 'declined').length > SQUAD_VIEW_MAX) {
      throw new AppError('conflict', `A squad view has at most ${SQUAD_VIEW_MAX} recordings.`)
    }
    await enqueueAlignment(transaction, rows)
    const told = await insertForListening(transaction, { kind: 'shares', rows: notifications })
    return { id: squadViewId, told }
  })
  jobs.wake()
  live.announce(told)
  return { id }
}

type States = Awaited<ReturnType<typeof listRecordingStates>>

/** @throws `conflict` if the video is in another view, or its owner took it out of this one */
function requireFree(
  { title, userId }: Proposed,
  { states, squadViewId, viewer }: { states: States; squadViewId: number; viewer: Viewer },
): void {
  if (states.some((one) => one.state === 'in' && one.squadViewId !== squadViewId)) {
    throw new AppError('conflict', `The recording “${title}” is part of another squad view.`)
  }
  const here = states.find((one) => one.squadViewId === squadViewId)
  if (here?.state === 'declined' && userId !== viewer.id) {
    throw new AppError('conflict', `The owner of “${title}” does not want it in this squad view.`)
  }
}

/** Names nobody, as the other recording may be anonymous. */
function questionTo(
  { userId, title, videoId }: { userId: number; title: string; videoId: number },
  own: Proposed,
): NewNotification {
  return {
    ...{ userId, videoId, type: 'upload', sourceUserId: null },
    title: `Is “${title}” of the same match as “${own.title}”?`,
    message: 'Open your video to see both side by side, and say yes or no.',
  }
}

const isOf =
  ({ id }: Viewer) =>
  ({ userId }: { userId: number }) =>
    userId === id
