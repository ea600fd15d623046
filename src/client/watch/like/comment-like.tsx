import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { REPLIES_SHOWN } from '#shared/limits.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { CommentsInput } from '../comment/comment-context.ts'
import { LikeInvitation, LikePair } from './like-pair.tsx'
import { useLike } from './use-like.ts'

type CommentLikeProps = {
  comment: Comment | Reply
  /** How the list that the comment is shown in was asked for. */
  listInput: CommentsInput
  isSignedIn: boolean
}

/** Likes and dislikes of a comment or a reply. */
export function CommentLike({ comment, listInput, isSignedIn }: CommentLikeProps) {
  const utils = trpc.useUtils()
  const like = useLike(comment, {
    target: { commentId: comment.id },
    stopReading: () => utils.comment.list.cancel(listInput),
    show(counts) {
      const change = { id: comment.id, counts }
      const inPages = <Item extends Comment, Page extends { items: Item[] }>(pages: Page[]) =>
        pages.map((page) => ({
          ...page,
          items: page.items.map((item) => changeLike(item, change)),
        }))
      utils.comment.list.setInfiniteData(
        listInput,
        (old) => old && { ...old, pages: inPages(old.pages) },
      )
      if (comment.parentId === null) return
      utils.comment.replies.setInfiniteData(
        { id: comment.parentId, limit: REPLIES_SHOWN },
        (old) => old && { ...old, pages: inPages(old.pages) },
      )
    },
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

/** The comment with new counts, wherever in it they belong. */
function changeLike<Rated extends Comment>(
  comment: Rated,
  change: { id: number; counts: LikeCounts },
): Rated {
  const { likeCount, dislikeCount, myRating } = change.counts
  const counts = { likeCount, dislikeCount, myRating }
  if (comment.id === change.id) return { ...comment, ...counts }
  const replies = comment.replies?.map((reply) =>
    reply.id === change.id ? { ...reply, ...counts } : reply,
  )
  return replies ? { ...comment, replies } : comment
}
