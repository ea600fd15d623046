import { type Database, writeQuietly } from '#server/platform/db/database.ts'
import type { Progress } from '#shared/schemas/library.schemas.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { storeWatched } from './heat.ts'
import { watchProgressed } from './view.events.ts'
import {
  addView,
  addViewSource,
  addWatchedNext,
  countRecentViews,
  insertView,
} from './view.queries.ts'
import type { Asking, Viewers } from './viewers.ts'

export const VIEW_SECONDS = 10
/** Enough for households; scripts may vary their browser. */
export const NETWORK_VIEWS_MAX = 5

/**
 * A view is 10 seconds or half the video, once per viewer in 6 hours, never its owner's. Reported
 * seconds are capped by the time since the first report. See docs/decisions/0022-views-and-heat.md.
 */
export async function reportProgress(
  { db, viewers }: { db: Database; viewers: Viewers },
  input: Progress & Asking,
): Promise<{ viewCounted: boolean }> {
  const { viewer, videoId } = input
  const { userId, duration } = await requireVideoOwner(db, { id: videoId, viewer })
  const enough = Math.min(VIEW_SECONDS, duration > 0 ? duration / 2 : VIEW_SECONDS)
  const { key: viewerKey, network } = await viewers.keyOf(input)
  const { passed, fresh } = await viewers.follow(viewerKey, {
    subject: `video ${videoId}`,
    watchedSeconds: input.watchedSeconds,
  })
  const isOwner = userId === viewer?.id
  const counts = Math.min(input.watchedSeconds, passed) >= enough && !isOwner
  if (fresh > 0 && !isOwner) {
    const endSeconds = input.positionSeconds
    viewers.heat.note({ videoId, durationSeconds: duration, endSeconds, seconds: fresh })
  }
  const watched = viewers.heat.take()
  return writeQuietly(db, async (transaction) => {
    if (watched) await storeWatched(transaction, watched)
    // Zero seconds announce the page.
    if (viewer && input.watchedSeconds > 0) {
      const positionSeconds = Math.min(input.positionSeconds, duration || input.positionSeconds)
      await watchProgressed.raise({ db: transaction, userId: viewer.id, videoId, positionSeconds })
    }
    if (!counts) return { viewCounted: false }
    const isCrowd =
      network !== undefined &&
      (await countRecentViews(transaction, { videoId, network })) >= NETWORK_VIEWS_MAX
    if (isCrowd || !(await insertView(transaction, { videoId, viewerKey }))) {
      return { viewCounted: false }
    }
    await addView(transaction, videoId)
    await addViewSource(transaction, { videoId, source: input.source ?? 'direct' })
    await addWatchedNext(transaction, { videoId, viewerKey })
    return { viewCounted: true }
  })
}
