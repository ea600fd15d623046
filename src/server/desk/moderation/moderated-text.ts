import { deleteComment } from '#server/community/comment/comment.queries.ts'
import { notifyOfNewComment } from '#server/community/comment/comment.service.ts'
import { deleteReplies } from '#server/community/comment/reply.queries.ts'
import { notifyOfPost } from '#server/community/notification/notification.service.ts'
import { deletePost } from '#server/community/post/post.queries.ts'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { deleteCommentsOn } from '#server/video/video/video-rows.queries.ts'
import {
  findModeratedComment,
  findModeratedPost,
  updateWithheldComment,
  updateWithheldPost,
} from './text-moderation.queries.ts'

type Author = { id: number; displayName: string }

export type ModeratedText = {
  id: number
  userId: number | null
  username: string | null
  displayName: string | null
  /** Of the author. */
  bannedAt: string | null
  content: string
  withheld: 'held' | 'hidden' | 'banned' | null
  /** In notifications: 'Your comment on "The ace" was hidden'. */
  name: string
  videoId: number | null
  clipId: number | null
  /**
   * Once public.
   * @returns notified users
   */
  announce: (db: DatabaseTransaction, author: Author) => Promise<number[]>
}

type TextKind = {
  reportColumn: 'commentId' | 'postId'
  require: (db: Database, id: number) => Promise<ModeratedText>
  withhold: typeof updateWithheldComment
  deleteDependants: (db: Database, id: number) => Promise<void>
  delete: (db: DatabaseTransaction, id: number) => Promise<void>
}

export const TEXT_KINDS: Record<'comment' | 'post', TextKind> = {
  comment: {
    reportColumn: 'commentId',
    require: requireComment,
    withhold: updateWithheldComment,
    deleteDependants: deleteReplies,
    delete: deleteComment,
  },
  post: {
    reportColumn: 'postId',
    require: requirePost,
    withhold: updateWithheldPost,
    deleteDependants: (db, postId) => deleteCommentsOn(db, { postId }),
    delete: deletePost,
  },
}

async function requireComment(db: Database, id: number): Promise<ModeratedText> {
  const comment = await findModeratedComment(db, id)
  if (!comment) throw new AppError('not-found', 'There is no such comment.')
  const { videoId, clipId, postId, videoTitle, parentId, content } = comment
  const ownerId = comment.videoOwnerId ?? comment.channelId ?? 0
  const subject = {
    ...{ videoId, clipId, postId, ownerId },
    listenerId: comment.clipMakerId ?? ownerId,
    title: comment.clipTitle ?? videoTitle,
    // Listed once the post is public.
    isPublic: postId !== null || comment.videoIsPublished === 1,
  }
  return {
    ...comment,
    name: `comment on ${videoTitle === null ? 'a post' : `"${videoTitle}"`}`,
    announce: (transaction, actor) =>
      notifyOfNewComment(transaction, {
        ...{ actor, subject, commentId: id, content },
        answered: parentId === null ? null : { userId: comment.answeredId },
      }),
  }
}

async function requirePost(db: Database, id: number): Promise<ModeratedText> {
  const post = await findModeratedPost(db, id)
  if (!post) throw new AppError('not-found', 'There is no such post.')
  return {
    ...post,
    name: 'post',
    ...{ videoId: null, clipId: null },
    announce: (transaction, author) => notifyOfPost(transaction, { post, author }),
  }
}
