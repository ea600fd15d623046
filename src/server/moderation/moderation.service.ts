import type { PageInput } from '#shared/field.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { LiveFeed } from '../notification/live-feed.ts'
import {
  deleteAnnouncedUpload,
  deleteUploadNotifications,
  insertNotifications,
} from '../notification/notification.queries.ts'
import { notifyOfUpload } from '../notification/notification.service.ts'
import { countOtherAdmins } from '../user/user.queries.ts'
import { listVideosToApprove } from '../video/video.queries.ts'
import { NO_SUCH_VIDEO } from '../video/video.service.ts'
import { findModeratedVideo, updateApproval, updateIsAdmin } from './moderation.queries.ts'

type Services = { db: Database; live: LiveFeed }

/** Videos that wait for approval, the oldest first. */
export function readApprovalQueue(db: Database, input: PageInput & { viewer: Viewer }) {
  return listVideosToApprove(db, input)
}

/**
 * Lets a video be seen by everybody, and tells the uploader, and the subscribers if it is ready.
 * @throws AppError `not-found`
 */
export async function approveVideo(
  { db, live }: Services,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const told = await db.transaction().execute(async (transaction) => {
    const video = await requireModerated(transaction, input.id)
    if (video.contentApproved === 1) return []
    const approval = { contentApproved: 1, rejectionReason: null } as const
    await updateApproval(transaction, { id: video.id, ...approval })
    const message = `"${video.title}" can now be seen by everybody.`
    const title = 'Your video was approved'
    const told = await tellUploader(transaction, { video, title, message, actor: input.viewer })
    if (video.processingState !== 'ready') return told
    return [...told, ...(await notifyOfUpload(transaction, video))]
  })
  live.announce(told)
}

/**
 * Hides a video from everybody but its owner, who is told why; subscribers are told no more of it,
 * and again when it is approved after all.
 * @throws AppError `not-found`
 */
export async function rejectVideo(
  { db, live }: Services,
  input: { id: number; reason: string; viewer: Viewer },
): Promise<void> {
  const told = await db.transaction().execute(async (transaction) => {
    const video = await requireModerated(transaction, input.id)
    const approval = { contentApproved: 0, rejectionReason: input.reason } as const
    await updateApproval(transaction, { id: video.id, ...approval })
    const message = `"${video.title}": ${input.reason}`
    const title = 'Your video was rejected'
    const taken = await deleteUploadNotifications(transaction, video.id)
    await deleteAnnouncedUpload(transaction, video)
    const actor = input.viewer
    return [...taken, ...(await tellUploader(transaction, { video, title, message, actor }))]
  })
  live.announce(told)
}

/** @throws AppError `not-found`, `conflict` when a site would be left without an admin. */
export async function setAdmin(
  db: Database,
  input: { userId: number; isAdmin: boolean; viewer: Viewer },
): Promise<void> {
  if (!input.isAdmin && input.userId === input.viewer.id) {
    throw new AppError('conflict', 'You cannot take the admin role from yourself.')
  }
  const changed = await db.transaction().execute(async (transaction) => {
    // Two admins may each take the role from the other at the same moment.
    if (!input.isAdmin && (await countOtherAdmins(transaction, input.userId)) === 0) {
      throw new AppError('conflict', 'A site needs an admin.')
    }
    return updateIsAdmin(transaction, input)
  })
  if (!changed) throw new AppError('not-found', 'There is no such channel.')
}

type Moderated = Awaited<ReturnType<typeof requireModerated>>

async function requireModerated(db: Database, id: number) {
  const video = await findModeratedVideo(db, id)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  return video
}

async function tellUploader(
  db: Database,
  input: { video: Moderated; title: string; message: string; actor: Viewer },
): Promise<number[]> {
  const { video, title, message, actor } = input
  if (video.userId === actor.id) return []
  const about = { sourceUserId: actor.id, videoId: video.id }
  await insertNotifications(db, [
    { userId: video.userId, type: 'upload', title, message, ...about },
  ])
  return [video.userId]
}
