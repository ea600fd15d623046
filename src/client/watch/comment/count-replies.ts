import type { Comment } from '#shared/schemas/comment.schemas.ts'

/** Includes drafts. */
export function countReplies({ replies = [], replyCount = 0, nextReplyCursor }: Comment): number {
  return nextReplyCursor ? Math.max(replyCount, replies.length) : replies.length
}
