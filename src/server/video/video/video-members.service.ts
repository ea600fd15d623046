import { requireNamedMembers } from '#server/account/user/user.service.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { NamedMember, SetNamedMembers } from '#shared/schemas/visibility.schemas.ts'
import { requireEditable } from './video.access.ts'
import { videoShared } from './video.events.ts'
import { requireVideoOwner } from './video.service.ts'
import { listVideoMembers, replaceVideoMembers } from './video-members.queries.ts'

export async function readVideoMembers(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<NamedMember[]> {
  requireEditable(await requireVideoOwner(db, input), input.viewer)
  return listVideoMembers(db, input.id)
}

/**
 * While the video is private; new members are notified then.
 * @throws `invalid` for unknown names, `conflict` while the video is for a squad
 */
export async function setVideoMembers(
  { db, live }: { db: Database; live: LiveFeed },
  input: SetNamedMembers & { viewer: Viewer },
): Promise<NamedMember[]> {
  const { id, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const video = await requireVideoOwner(transaction, { id, viewer })
    requireEditable(video, viewer)
    if (video.squadId !== null) {
      throw new AppError(
        'conflict',
        'This video is for a squad. Make it private before you name members.',
      )
    }
    const now = await listVideoMembers(transaction, id)
    const userIds = await requireNamedMembers(transaction, { ...input, now })
    const change = await replaceVideoMembers(transaction, { videoId: id, userIds })
    if (video.visibility !== 'private') return []
    return (await videoShared.raise({ db: transaction, video, owner: viewer, ...change })).flat()
  })
  live.announce(notified)
  live.videos.announce(id, 'access')
  return listVideoMembers(db, id)
}
