import { createHmac } from 'node:crypto'
import type { Progress } from '#shared/library.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import type { Database } from '../db/database.ts'
import { upsertProgress } from '../history/history.queries.ts'
import { findViewerSecret } from '../site/site.queries.ts'
import { requireVideo } from '../video/video.service.ts'
import { addView, addWatchedNext, insertView } from './view.queries.ts'

const VIEW_SECONDS = 10

type Asking = { viewer: Viewer | undefined; visitor: string }

/**
 * Takes note of how far somebody has watched. It counts as a view after 10 seconds or half of the
 * video, once per viewer in 6 hours and never for the owner; a member's place goes into the history.
 * @param input.visitor what tells one visitor from another; stored only as a keyed digest
 * @throws AppError `not-found` when the video is not visible to the viewer
 */
export async function reportProgress(
  db: Database,
  input: Progress & Asking,
): Promise<{ viewCounted: boolean }> {
  const { viewer, videoId } = input
  const video = await requireVideo(db, { id: videoId, viewer })
  const enough = Math.min(VIEW_SECONDS, video.duration > 0 ? video.duration / 2 : VIEW_SECONDS)
  const counts = input.watchedSeconds >= enough && !(await isOwner(db, { videoId, viewer }))
  const viewerKey = viewer ? `member-${viewer.id}` : await visitorKey(db, input.visitor)
  return db.transaction().execute(async (transaction) => {
    if (viewer) {
      const positionSeconds = Math.min(
        input.positionSeconds,
        video.duration || input.positionSeconds,
      )
      await upsertProgress(transaction, { userId: viewer.id, videoId, positionSeconds })
    }
    if (!counts || !(await insertView(transaction, { videoId, viewerKey }))) {
      return { viewCounted: false }
    }
    await addView(transaction, videoId)
    await addWatchedNext(transaction, { videoId, viewerKey })
    return { viewCounted: true }
  })
}

async function isOwner(db: Database, input: { videoId: number; viewer: Viewer | undefined }) {
  if (!input.viewer) return false
  const row = await db
    .selectFrom('videos')
    .select('userId')
    .where('id', '=', input.videoId)
    .executeTakeFirst()
  return row?.userId === input.viewer.id
}

async function visitorKey(db: Database, visitor: string): Promise<string> {
  const digest = createHmac('sha256', await findViewerSecret(db))
    .update(visitor)
    .digest('base64url')
  return `visitor-${digest.slice(0, 22)}`
}
