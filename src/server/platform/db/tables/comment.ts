import type { Generated } from 'kysely'
import type { Default, Flag } from './column.ts'

export interface CommentsTable {
  id: Generated<number>
  videoId: number | null
  /** Null once the account is gone. */
  userId: number | null
  content: string
  likeCount: Default<number>
  dislikeCount: Default<number>
  parentId: number | null
  /** Null for a comment on the whole video. */
  clipId: number | null
  postId: number | null
  createdAt: string
  editedAt: string | null
  /** Waits for review, hidden by an admin, or of a banned author. */
  withheld: 'held' | 'hidden' | 'banned' | null
  /** One per video, clip or post. */
  isPinned: Default<Flag>
  isHearted: Default<Flag>
}
