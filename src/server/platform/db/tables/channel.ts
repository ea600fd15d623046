import type { Generated } from 'kysely'
import type { Default, Flag } from './column.ts'

export interface PostsTable {
  id: Generated<number>
  /** On whose channel it stands. */
  channelId: number
  /** Who wrote it; null when the account is gone. */
  userId: number | null
  /** The post that it comments on; null for a post itself. */
  parentId: number | null
  /** The comment that it replies to; null for a post and for a comment that answers nobody. */
  topCommentId: number | null
  content: string
  /** A video of the channel that the post shows. */
  videoId: number | null
  likeCount: Default<number>
  dislikeCount: Default<number>
  createdAt: string
  editedAt: string | null
  /** Why others do not see it, as of a comment on a video. */
  withheld: 'held' | 'hidden' | 'banned' | null
}

export interface PostLikesTable {
  userId: number
  postId: number
  isLike: Flag
}

export interface FeaturedChannelsTable {
  /** Whose channel features the other one. */
  userId: number
  channelId: number
  position: number
}

export interface ParticipantsTable {
  videoId: number
  userId: number
  /** Whether the video's owner took the name off again, or the member did. */
  state: 'named' | 'removed' | 'left'
}
