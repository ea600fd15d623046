import { LinkButton } from '#client/kit/control/link-button.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { handFocusOn } from '#client/platform/hand-focus-on.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { trpc } from '#client/trpc.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { CommentOrder } from '../comment/comment-order.tsx'
import { useSorted } from '../comment/comment-sort.ts'
import { CommentsSkeleton } from '../comment/comments.tsx'
import { withPost } from './linked-post.ts'
import { PostComment } from './post-comment.tsx'
import { PostCommentForm } from './post-comment-form.tsx'
import type { PostContext } from './post-context.ts'
import classes from './posts.module.css'

/** What is said to a post, in the order that is chosen on this device. */
export function PostComments({ post, context }: { post: Post; context: PostContext }) {
  const signIn = useSignInLink()
  const comments = trpc.post.comments.useInfiniteQuery(useSorted({ id: post.id }), {
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // The other order stays until this one is loaded.
    placeholderData: (before) => before,
  })
  const listed = comments.data?.pages.flatMap((page) => page.items)
  const thread = context.linked?.thread
  const items = withPost(listed, thread?.post.id === post.id ? thread.comment : null, 'first')
  return (
    <>
      {context.viewer ? (
        <PostCommentForm viewer={context.viewer} answers={post} />
      ) : (
        <p>
          <LinkButton {...signIn} variant="default">
            Sign in to add a comment
          </LinkButton>
        </p>
      )}
      {post.commentCount > 1 && (
        <div className={classes.order}>
          <CommentOrder />
        </div>
      )}
      {comments.isPending && <CommentsSkeleton />}
      {comments.isError && !items && (
        <LoadError
          text={`Error loading comments: ${errorSentence(comments.error)}`}
          error={comments.error}
          onRetry={() => void comments.refetch()}
        />
      )}
      {items?.length === 0 && <p className={classes.quiet}>No comments yet</p>}
      {items && items.length > 0 && (
        <ul className={classes.list} aria-busy={comments.isPlaceholderData}>
          {items.map((comment) => (
            <li key={comment.id} ref={handFocusOn}>
              <PostComment comment={comment} context={context} />
            </li>
          ))}
        </ul>
      )}
      {items && !comments.isPlaceholderData && <LoadMore query={comments} />}
    </>
  )
}
