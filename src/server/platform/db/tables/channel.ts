import type { Generated } from 'kysely'
import type { Default } from './column.ts'

export interface PostsTable {
  id: Generated<number>
  /** The member who wrote it, on their own channel. */
  channelId: number
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

export interface FeaturedChannelsTable {
  /** The member whose channel features the other one. */
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
