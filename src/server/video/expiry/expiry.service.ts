import type { AppDeps } from '#server/platform/deps.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { videoExpiresSoon } from '../video/video.events.ts'
import { editVideo } from '../video/video.service.ts'
import { deleteVideo } from '../video/video-deletion.ts'
import {
  listExpiredVideos,
  listUnannouncedExpiries,
  noteExpiryAnnounced,
} from './expiry.queries.ts'

const NOTICE_MS = 7 * 24 * 60 * 60 * 1000

type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'jobs' | 'live'>

/** Tells owners a week before, and does at its time, what they wished for a video. */
export async function endExpiredVideos(deps: Deps, now = new Date()): Promise<void> {
  await announceExpiries(deps, now)
  for (const { id, userId, expiryAction } of await listExpiredVideos(deps.db, now)) {
    const viewer: Viewer = { id: userId, username: '', displayName: '', isAdmin: false }
    if (expiryAction === 'delete') await deleteVideo(deps, { id, viewer })
    else await editVideo(deps, { id, viewer, visibility: 'private', expiry: null })
  }
}

async function announceExpiries({ db, live }: Deps, now: Date): Promise<void> {
  const until = new Date(now.getTime() + NOTICE_MS)
  for (const { expiresAt, expiryAction, ...video } of await listUnannouncedExpiries(db, until)) {
    if (!expiresAt || !expiryAction) continue
    const expiry = { at: expiresAt, action: expiryAction }
    const notified = await db.transaction().execute(async (transaction) => {
      await noteExpiryAnnounced(transaction, video.id)
      return (await videoExpiresSoon.raise({ db: transaction, video, expiry })).flat()
    })
    live.announce(notified)
  }
}
