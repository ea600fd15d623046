import type { Generated } from 'kysely'
import type { Default } from './column.ts'

export interface PostsTable {
  id: Generated<number>
  channelId: number
  content: string
  videoId: number | null
  likeCount: Default<number>
  dislikeCount: Default<number>
  createdAt: string
  editedAt: string | null
  /** As in `CommentsTable`. */
  withheld: 'held' | 'hidden' | 'banned' | null
}

export interface FeaturedChannelsTable {
  /** Owner of the list of featured channels. */
  userId: number
  channelId: number
  position: number
}

export interface ParticipantsTable {
  videoId: number
  userId: number
  /** Removed by the owner of the video, or left by the member. */
  state: 'named' | 'removed' | 'left'
}
