import type { Database } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { updateVideo } from '#server/video/video/video.queries.ts'
import { changeVisibility, requireVideoOwner } from '#server/video/video/video.service.ts'
import { requireLeads } from './squad.access.ts'
import { requireSquad } from './squad.service.ts'
import { notifyOfSquad } from './squad-notification.ts'

/**
 * Makes a member's video private to its owner, who is notified.
 * @throws `not-found` also for a video that is not for the squad
 */
export async function removeSquadVideo(
  { db, live }: { db: Database; live: LiveFeed },
  input: { id: number; videoId: number; viewer: Viewer },
): Promise<void> {
  const { id: squadId, videoId, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const squad = await requireSquad(transaction, input)
    requireLeads(squad)
    const before = await requireVideoOwner(transaction, { id: videoId, viewer })
    if (before.squadId !== squadId) {
      throw new AppError('not-found', 'This video is not for the squad.')
    }
    const after = { visibility: 'private', squadId: null } as const
    await updateVideo(transaction, { id: videoId, change: after })
    const hidden = await changeVisibility(transaction, { before, ...after })
    if (before.userId === viewer.id) return hidden
    const told = await notifyOfSquad(transaction, {
      userIds: [before.userId],
      type: 'upload',
      title: `${viewer.displayName} took your video out of ${squad.name}`,
      message: `"${before.title}" is private now: only you see it.`,
      sourceUserId: viewer.id,
      videoId,
      squadId,
    })
    return [...hidden, ...told]
  })
  live.announce(notified)
  live.videos.announce(videoId, 'access')
}
