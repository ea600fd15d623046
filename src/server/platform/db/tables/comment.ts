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
  /** The clip that it is about; null when about the whole video. */
  clipId: number | null
  /** The post that it is on; null for a comment on a video or a clip. */
  postId: number | null
  createdAt: string
  editedAt: string | null
  /** Why others do not see it: it waits for review, an admin hid it, or its author is banned. */
  withheld: 'held' | 'hidden' | 'banned' | null
  /** At most one of each video, clip and post. */
  isPinned: Default<Flag>
  isHearted: Default<Flag>
}
