import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { MARK_EVERY_SECONDS, MOMENT_ROWS_MAX } from '#shared/limits.ts'
import type { MarkMoment, Moment } from '#shared/schemas/moment.schemas.ts'
import { parseRichText } from '#shared/text/rich-text.ts'
import { findReactedSeconds } from '../reaction/reaction.service.ts'
import { canManage, requireEditable } from '../video/video.access.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { findHeat } from '../view/heat.service.ts'
import { HEAT_SLICES } from '../view/heat.ts'
import {
  countOwnMoments,
  deleteOwnMoment,
  findOwnMoment,
  insertOwnMoment,
  listMomentRows,
  listTimedComments,
} from './moment.queries.ts'
import { drawCurve, findHotParts, type MomentEvent, mergeMoments } from './moment-score.ts'

const COMMENT_TIMES_MAX = 10

type VideoOfMoments = { videoId: number; durationSeconds: number }

/** See docs/decisions/0036-moments.md. */
export async function findMoments(
  db: Database,
  { videoId, durationSeconds }: VideoOfMoments,
): Promise<{ moments: Moment[]; curve: number[] }> {
  const heat = await findHeat(db, { videoId, durationSeconds })
  const rows = await listMomentRows(db, videoId)
  const comments = await listTimedComments(db, videoId)
  const reactions = await findReactedSeconds(db, { videoId, durationSeconds })
  const isForgotten = (moment: Moment) =>
    rows.some(
      ({ source, atSeconds }) =>
        source === 'forgotten' && atSeconds >= moment.atSeconds && atSeconds <= moment.endSeconds,
    )
  const events = [
    ...rows.flatMap(({ source, ...row }) => (source === 'forgotten' ? [] : [{ source, ...row }])),
    ...comments.flatMap((content) => timesOf(content, durationSeconds)),
    ...reactions.map((reaction) => ({ source: 'reaction' as const, ...reaction })),
    ...findHotParts(heat, durationSeconds),
  ]
  const moments = mergeMoments(events, durationSeconds).filter((moment) => !isForgotten(moment))
  const shown = events.filter(({ atSeconds }) =>
    moments.some((moment) => atSeconds >= moment.atSeconds && atSeconds <= moment.endSeconds),
  )
  const curve = drawCurve(heat, { events: shown, durationSeconds, parts: HEAT_SLICES })
  return { moments, curve }
}

function timesOf(content: string, maxSeconds: number): MomentEvent[] {
  return parseRichText(content, { maxSeconds })
    .flatMap((token) => (token.kind === 'time' ? [token.seconds] : []))
    .slice(0, COMMENT_TIMES_MAX)
    .map((atSeconds) => ({ source: 'comment', atSeconds, weight: 1 }))
}

/** Recorders' titles are the owner's. */
export function withoutTitles(moments: Moment[]): Moment[] {
  return moments.map((moment) => ({ ...moment, title: null }))
}

export async function listMoments(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Moment[]> {
  const video = await requireVideoOwner(db, input)
  const { moments } = await findMoments(db, { videoId: video.id, durationSeconds: video.duration })
  return canManage(video, input.viewer) ? moments : withoutTitles(moments)
}

/**
 * Within five seconds it is the same mark.
 * @throws `invalid` after the end, `conflict` with too many marks
 */
export function markMoment(db: Database, input: MarkMoment & { viewer: Viewer }) {
  return addRow(db, { ...input, source: 'mark' })
}

/**
 * For everybody.
 * @throws as `markMoment`; `forbidden`
 */
export function forgetMoment(db: Database, input: MarkMoment & { viewer: Viewer }) {
  return addRow(db, { ...input, source: 'forgotten' })
}

async function addRow(
  db: Database,
  input: MarkMoment & { viewer: Viewer; source: 'mark' | 'forgotten' },
): Promise<{ id: number }> {
  const { id: videoId, viewer, atSeconds, source } = input
  return inTransaction(db, async (transaction) => {
    const video = await requireVideoOwner(transaction, { id: videoId, viewer })
    if (source === 'forgotten') requireEditable(video, viewer)
    // The stored length is rounded.
    if (video.duration > 0 && atSeconds > video.duration + 1) {
      throw new AppError('invalid', 'This moment is past the end of the video.')
    }
    const own = { videoId, source, userId: viewer.id }
    const near = await findOwnMoment(transaction, {
      ...own,
      atSeconds,
      within: MARK_EVERY_SECONDS,
    })
    if (near) return { id: near.id }
    if ((await countOwnMoments(transaction, own)) >= MOMENT_ROWS_MAX) {
      throw new AppError('conflict', `You can mark at most ${MOMENT_ROWS_MAX} moments of a video.`)
    }
    return { id: await insertOwnMoment(transaction, { ...own, atSeconds }) }
  })
}

/** Also restores a hidden moment. */
export async function unmarkMoment(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<void> {
  if (!(await deleteOwnMoment(db, { id, userId: viewer.id }))) {
    throw new AppError('not-found', 'There is no such mark of yours.')
  }
}
