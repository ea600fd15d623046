import type { Generated } from 'kysely'
import type { Default } from './column.ts'

export interface PostsTable {
  id: Generated<number>
  channelId: number
  content: string
  videoId: number | null
  /** If set, only the members of this squad, admins and the author see the post. */
  squadId: number | null
  /** A clip that was sent to the squad. */
  clipId: number | null
  likeCount: Default<number>
  dislikeCount: Default<number>
  createdAt: string
  editedAt: string | null
  /** As in `CommentsTable`. */
  withheld: 'held' | 'hidden' | 'banned' | null
}

export interface FeaturedChannelsTable {
  userId: number
  channelId: number
  position: number
}

export interface ParticipantsTable {
  videoId: number
  userId: number
  /** Removed by the video's owner, or left by the member. */
  state: 'named' | 'removed' | 'left'
}
