import type { Generated } from 'kysely'
import type { Default, Flag } from './column.ts'

export interface CommentsTable {
  id: Generated<number>
  /** Null for a comment on a post. */
  videoId: number | null
  /** Null when the account is gone. */
  userId: number | null
  content: string
  likeCount: Default<number>
  dislikeCount: Default<number>
  parentId: number | null
  /** Null when the comment is about the whole video. */
  clipId: number | null
  /** Null for a comment on a video or a clip. */
  postId: number | null
  createdAt: string
  editedAt: string | null
  /** Moderation state: waits for review, hidden by an admin, or of a banned author; null while others see it. */
  withheld: 'held' | 'hidden' | 'banned' | null
  /** At most one of each video, clip and post. */
  isPinned: Default<Flag>
  isHearted: Default<Flag>
}
