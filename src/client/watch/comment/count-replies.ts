import type { Comment } from '#shared/schemas/comment.schemas.ts'

/** How many replies a comment has, with those that are only being posted. */
export function countReplies({ replies = [], replyCount = 0, nextReplyCursor }: Comment): number {
  return nextReplyCursor ? Math.max(replyCount, replies.length) : replies.length
}
