import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { TIMELINE_MARKERS_MAX } from '#shared/limits.ts'
import type { AddedTimeline } from '#shared/schemas/moment.schemas.ts'
import { requireEditable } from '../video/video.access.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { deleteTimelineMarkers, replaceTimelineMarkers } from './moment.queries.ts'
import { readTimeline } from './steam-timeline.ts'

/**
 * Replaces an earlier one. Drops markers after the end; the 1,000 of greatest weight stay.
 * @throws `conflict` before the length is known, `unprocessable` without a marker within the video
 */
export async function addTimeline(
  db: Database,
  { id, bytes, viewer }: { id: number; bytes: Uint8Array; viewer: Viewer },
): Promise<AddedTimeline> {
  return inTransaction(db, async (transaction) => {
    const video = await requireVideoOwner(transaction, { id, viewer })
    requireEditable(video, viewer)
    if (video.duration === 0) {
      const sentence = 'This video is not prepared yet. Add the timeline once it plays.'
      throw new AppError('conflict', sentence)
    }
    const markers = readTimeline(bytes)
      .filter(({ atSeconds }) => atSeconds < video.duration)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, TIMELINE_MARKERS_MAX)
    if (markers.length === 0) {
      throw new AppError('unprocessable', 'This timeline marks nothing within the video.')
    }
    await replaceTimelineMarkers(transaction, { videoId: id, userId: viewer.id, markers })
    return { count: markers.length }
  })
}

/** @throws `not-found`, also without markers */
export async function removeTimeline(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    requireEditable(await requireVideoOwner(transaction, { id, viewer }), viewer)
    if (!(await deleteTimelineMarkers(transaction, id))) {
      throw new AppError('not-found', 'This video has no timeline.')
    }
  })
}
