import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import type { Reply } from '#shared/schemas/comment.schemas.ts'
import { useCommentCache } from '../comment/use-comment-cache.ts'
import { LikeInvitation, LikePair } from './like-pair.tsx'
import { useLike } from './use-like.ts'

type CommentLikeProps = { comment: Reply; isSignedIn: boolean }

export function CommentLike({ comment, isSignedIn }: CommentLikeProps) {
  const { stopReading, change } = useCommentCache()
  const like = useLike(comment, {
    target: { commentId: comment.id },
    stopReading,
    show: ({ likeCount, dislikeCount, myRating }) =>
      change(comment.id, { likeCount, dislikeCount, myRating }),
    onFailed: (error) =>
      notify({
        tone: 'error',
        title: 'Error',
        message: `Failed to like comment: ${errorMessage(error)}`,
      }),
  })
  if (!isSignedIn) return <LikeInvitation counts={comment} size="small" text="Sign in to rate" />
  return <LikePair counts={comment} size="small" onPress={like.press} />
}
