import type { Generated } from 'kysely'
import type { NotificationKind } from '#shared/notification-kinds.ts'
import type { Default, Flag } from './column.ts'

export interface SubscriptionsTable {
  id: Generated<number>
  subscriberId: number
  channelId: number
  subscribedAt: string
}

export interface LikesTable {
  id: Generated<number>
  userId: number
  /** Exactly one of the four. */
  videoId: number | null
  clipId: number | null
  commentId: number | null
  postId: number | null
  isLike: Flag
  createdAt: string
}

export type NotificationType =
  | 'comment'
  | 'comment_reply'
  | 'video_comment'
  | 'subscription'
  | 'new_subscriber'
  | 'upload'
  | 'like'

export interface NotificationsTable {
  id: Generated<number>
  userId: number
  type: NotificationType
  title: string
  message: string
  sourceUserId: number | null
  videoId: number | null
  commentId: number | null
  postId: number | null
  squadId: number | null
  /** People in a `like` notification. */
  sourceCount: Default<number>
  read: Default<Flag>
  createdAt: string
  /** Notifications of a member with the same key are shown in one line. */
  groupKey: string | null
  /** The text of that line after the names. */
  groupText: string | null
  /** Null for notifications that cannot be turned off. */
  kind: Default<NotificationKind | null>
}

/** Each row is a kind of notification that a member has turned off. */
export interface MutedNotificationsTable {
  userId: number
  kind: NotificationKind
  /** With `push`, the notifications appear in the bell but are not pushed. */
  mutes: Default<'all' | 'push'>
}

/** Acts that notified; repeated ones do not. */
export interface AnnouncedActsTable {
  kind: 'like' | 'new_subscriber' | 'upload'
  actorId: number
  /** Video or channel. */
  targetId: number
}

export interface ReportsTable {
  id: Generated<number>
  reporterId: number | null
  kind: 'video' | 'comment' | 'channel' | 'post'
  /** One of the four, until it is deleted. */
  videoId: number | null
  commentId: number | null
  channelId: number | null
  postId: number | null
  /** Title, text or name at the time. */
  subject: string
  accusedId: number | null
  reason: string
  state: 'open' | 'resolved' | 'dismissed'
  createdAt: string
  closedAt: string | null
  closedBy: number | null
}
