/** They have the type 'comment_reply', like mentions, but no comment. */
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { insertForListening } from './muted.queries.ts'
import type { NewNotification } from './notification.queries.ts'

/** Without the owner of an anonymous video. */
export async function insertParticipantNotification(
  db: DatabaseTransaction,
  input: {
    video: { id: number; title: string; isAnonymous: Flag }
    userId: number
    owner: Pick<Viewer, 'id' | 'displayName'>
  },
): Promise<void> {
  const { video, userId, owner } = input
  const isNamed = video.isAnonymous === 0
  const row: NewNotification = {
    userId,
    type: 'comment_reply',
    title: isNamed
      ? `${owner.displayName} says you played along in "${video.title}"`
      : anonymousTitle(video.title),
    message: 'Your name is on the video’s page, where you can remove it.',
    sourceUserId: isNamed ? owner.id : null,
    videoId: video.id,
  }
  await insertForListening(db, { kind: 'shares', rows: [row] })
}

export async function clearOwnerOfParticipantNotifications(
  db: DatabaseTransaction,
  videoId: number,
): Promise<number[]> {
  const video = await db
    .selectFrom('videos')
    .select('title')
    .where('id', '=', videoId)
    .executeTakeFirst()
  if (!video) return []
  const rows = await db
    .updateTable('notifications')
    .set({ sourceUserId: null, title: anonymousTitle(video.title) })
    .where('id', 'in', participantNotifications(db, videoId))
    .returning('userId')
    .execute()
  return rows.map((row) => row.userId)
}

export async function deleteParticipantNotification(
  db: DatabaseTransaction,
  { videoId, userId }: { videoId: number; userId: number },
): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('id', 'in', participantNotifications(db, videoId).where('userId', '=', userId))
    .execute()
}

function participantNotifications(db: Database, videoId: number) {
  return db
    .selectFrom('notifications')
    .select('notifications.id')
    .where('videoId', '=', videoId)
    .where('type', '=', 'comment_reply')
    .where('commentId', 'is', null)
}

function anonymousTitle(title: string): string {
  return `It is said that you played along in "${title}"`
}
