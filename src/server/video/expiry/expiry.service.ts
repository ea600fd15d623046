import { type DatabaseTransaction, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { videoExpiresSoon } from '../video/video.events.ts'
import { updateVideo } from '../video/video.queries.ts'
import { changeVisibility } from '../video/video.service.ts'
import { finishDeletion } from '../video/video-deletion.ts'
import { markVideosAsDeleting } from '../video/video-rows.queries.ts'
import {
  findExpiredVideo,
  listExpiredVideos,
  listUnannouncedExpiries,
  noteExpiryAnnounced,
} from './expiry.queries.ts'

const NOTICE_MS = 7 * 24 * 60 * 60 * 1000

type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'jobs' | 'live'>

export async function endExpiredVideos(deps: Deps, now = new Date()): Promise<void> {
  await announceExpiries(deps, now)
  for (const { id } of await listExpiredVideos(deps.db, now)) {
    const notified = await inTransaction(deps.db, (transaction) =>
      endExpiredVideo(transaction, { id, now }),
    )
    deps.live.announce(notified)
    await finishDeletion(deps, id)
  }
}

/** @returns members to notify live */
async function endExpiredVideo(
  db: DatabaseTransaction,
  input: { id: number; now: Date },
): Promise<number[]> {
  const { id } = input
  const video = await findExpiredVideo(db, input)
  if (video?.expiryAction === 'delete') await markVideosAsDeleting(db, [id])
  if (video?.expiryAction !== 'private') return []
  const expiry = { expiresAt: null, expiryAction: null, expiryNoticedAt: null }
  await updateVideo(db, { id, change: { visibility: 'private', ...expiry } })
  return changeVisibility(db, { before: video, visibility: 'private', squadId: null })
}

async function announceExpiries({ db, live }: Deps, now: Date): Promise<void> {
  const until = new Date(now.getTime() + NOTICE_MS)
  for (const { id } of await listUnannouncedExpiries(db, until)) {
    const notified = await inTransaction(db, (transaction) =>
      announceExpiry(transaction, { id, until }),
    )
    live.announce(notified)
  }
}

/** @returns members to notify live */
async function announceExpiry(
  db: DatabaseTransaction,
  input: { id: number; until: Date },
): Promise<number[]> {
  const row = await noteExpiryAnnounced(db, input)
  if (!row?.expiresAt || !row.expiryAction) return []
  const { expiresAt, expiryAction, ...video } = row
  const expiry = { at: expiresAt, action: expiryAction }
  return (await videoExpiresSoon.raise({ db, video, expiry })).flat()
}
