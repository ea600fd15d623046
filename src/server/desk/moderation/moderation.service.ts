import { deleteAnnouncedUpload } from '#server/community/notification/announcement.queries.ts'
import { takeBackAnnouncement } from '#server/community/notification/announcement.service.ts'
import { insertNotifications } from '#server/community/notification/notification.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import { updatePinnedVideo } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { replaceRecording } from '#server/video/replacement/replacement.queries.ts'
import { announceVideo } from '#server/video/video/announce-video.ts'
import { NO_SUCH_VIDEO } from '#server/video/video/video.service.ts'
import { listVideosToApprove } from '#server/video/video/video-lists.queries.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import { findModeratedVideo, resolveReportsAbout, updateApproval } from './moderation.queries.ts'

export type Services = { db: Database; live: LiveFeed }
type Action = { id: number; reason: string; viewer: Viewer }

export function readApprovalQueue(
  db: Database,
  input: PageInput & { q?: string | undefined; viewer: Viewer },
) {
  return listVideosToApprove(db, input)
}

/**
 * Notifies the uploader, and subscribers once ready.
 * @throws `conflict` while the owner is banned
 */
export async function approveVideo(
  services: Services,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  await showVideo(services, {
    ...input,
    action: 'video.approve',
    title: 'Your video was approved',
  })
}

/**
 * Instead of the pinned one; null unpins.
 * @throws `conflict` for a non-public video
 */
export async function pinVideo(
  db: Database,
  input: { id: number | null; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  await inTransaction(db, async (transaction) => {
    const video = id === null ? undefined : await requireModerated(transaction, id)
    if (video && (video.contentApproved === 0 || video.processingState !== 'ready')) {
      throw new AppError('conflict', 'Only a video that everybody can see can be pinned.')
    }
    await updatePinnedVideo(transaction, id)
    const target = { kind: 'video', id, name: video?.title ?? 'No video' } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'site.pin', target })
  })
}

/** @throws `conflict` when not hidden or the owner is banned */
export async function unhideVideo(
  services: Services,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  await showVideo(services, {
    ...input,
    action: 'video.unhide',
    title: 'Your video is shown again',
  })
}

async function showVideo(
  { db, live }: Services,
  input: { id: number; viewer: Viewer; action: 'video.approve' | 'video.unhide'; title: string },
): Promise<void> {
  const { viewer, action, title } = input
  const notified = await inTransaction(db, async (transaction) => {
    const video = await requireModerated(transaction, input.id)
    if (action === 'video.unhide' && video.withheld !== 'hidden') {
      throw new AppError('conflict', 'This video is not hidden.')
    }
    if (video.contentApproved === 1) return []
    if (video.ownerBannedAt !== null) {
      throw new AppError('conflict', 'The owner of this video is banned. Lift the ban first.')
    }
    const approval = { contentApproved: 1, rejectionReason: null, withheld: null } as const
    await updateApproval(transaction, { id: video.id, ...approval })
    await logVideo(transaction, { video, action, viewer })
    const message = `"${video.title}" can now be seen by everybody.`
    const notified = await notifyUploader(transaction, { video, title, message, actor: viewer })
    if (video.processingState !== 'ready') return notified
    if ((await replaceRecording(transaction, video.id)) !== undefined) return notified
    return [...notified, ...(await announceVideo(transaction, video))]
  })
  live.announce(notified)
}

/** Notifies the owner; retracts subscribers' notifications until approval. */
export async function rejectVideo(services: Services, input: Action): Promise<void> {
  await withholdVideo(services, {
    ...input,
    withheld: null,
    action: 'video.reject',
    title: 'Your video was rejected',
  })
}

/**
 * Notifies the owner.
 * @throws `conflict` when already hidden
 */
export async function hideVideo(services: Services, input: Action): Promise<void> {
  await withholdVideo(services, {
    ...input,
    withheld: 'hidden',
    action: 'video.hide',
    title: 'Your video was hidden',
  })
}

async function withholdVideo(
  { db, live }: Services,
  input: Action & {
    withheld: 'hidden' | null
    action: 'video.reject' | 'video.hide'
    title: string
  },
): Promise<void> {
  const { withheld, reason, viewer, action, title } = input
  const notified = await inTransaction(db, async (transaction) => {
    const video = await requireModerated(transaction, input.id)
    if (withheld === 'hidden' && video.withheld === 'hidden') {
      throw new AppError('conflict', 'This video is hidden already.')
    }
    const approval = { contentApproved: 0, rejectionReason: reason, withheld } as const
    await updateApproval(transaction, { id: video.id, ...approval })
    await logVideo(transaction, { video, action, viewer, reason })
    const about = { column: 'videoId', id: video.id, closedBy: viewer.id } as const
    await resolveReportsAbout(transaction, about)
    const message = `"${video.title}": ${reason}`
    const taken = await takeBackAnnouncement(transaction, video.id)
    await deleteAnnouncedUpload(transaction, video)
    return [
      ...taken,
      ...(await notifyUploader(transaction, { video, title, message, actor: viewer })),
    ]
  })
  live.announce(notified)
}

export type Moderated = Awaited<ReturnType<typeof requireModerated>>

/** @throws `not-found`, also during deletion */
export async function requireModerated(db: Database, id: number) {
  const video = await findModeratedVideo(db, id)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  return video
}

export async function logVideo(
  db: Database,
  input: {
    video: Moderated
    action: 'video.approve' | 'video.unhide' | 'video.reject' | 'video.hide' | 'video.edit'
    viewer: Viewer
    reason?: string
  },
): Promise<void> {
  const { video, action, viewer, reason = '' } = input
  const target = { kind: 'video', id: video.id, name: video.title } as const
  await insertAuditEntry(db, { actor: viewer, action, target, reason })
}

/**
 * Unless the owner acted.
 * @returns notified users
 */
export async function notifyUploader(
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
