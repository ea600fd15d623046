import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useRef, useState } from 'react'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { handFocusOn } from '#client/platform/hand-focus-on.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { trpc } from '#client/trpc.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import commentClasses from '../comment/comment-item.module.css'
import { CommentsSkeleton } from '../comment/comments.tsx'
import { useOpenedBy } from '../comment/use-opened-by.ts'
import { withPost } from './linked-post.ts'
import { PostCommentForm } from './post-comment-form.tsx'
import type { PostContext } from './post-context.ts'
import { PostEntry } from './post-entry.tsx'

type PostCommentProps = { comment: Post; context: PostContext }

/** A comment on a post with its replies, which are folded until asked for. */
export function PostComment({ comment, context }: PostCommentProps) {
  const { linked } = context
  const isReplyLinked = linked?.thread.reply?.topCommentId === comment.id
  const [areRepliesShown, setRepliesShown] = useOpenedBy(isReplyLinked ? linked.id : null)
  const repliesId = useId()
  const { commentCount } = comment
  const count = commentCount === 1 ? '1 REPLY' : `${commentCount} REPLIES`
  const Chevron = areRepliesShown ? IconChevronUp : IconChevronDown
  return (
    <AnswerableEntry comment={comment} context={context} onReplied={() => setRepliesShown(true)}>
      {commentCount > 0 && (
        <UnstyledButton
          className={commentClasses.toggle}
          aria-expanded={areRepliesShown}
          aria-controls={repliesId}
          onClick={() => setRepliesShown(!areRepliesShown)}
        >
          <Chevron size={18} aria-hidden />
          {areRepliesShown ? `HIDE ${count}` : count}
        </UnstyledButton>
      )}
      <div id={repliesId} hidden={!areRepliesShown}>
        {areRepliesShown && <Replies comment={comment} context={context} />}
      </div>
    </AnswerableEntry>
  )
}

function Replies({ comment, context }: PostCommentProps) {
  const replies = trpc.post.replies.useInfiniteQuery(
    { id: comment.id },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const listed = replies.data?.pages.flatMap((page) => page.items)
  const linkedReply = context.linked?.thread.reply
  const items = withPost(
    listed,
    linkedReply?.topCommentId === comment.id ? linkedReply : null,
    'last',
  )
  if (replies.isPending) return <CommentsSkeleton />
  if (!items) {
    return (
      <LoadError
        error={replies.error}
        text={`Error loading comments: ${errorSentence(replies.error)}`}
        onRetry={() => void replies.refetch()}
      />
    )
  }
  return (
    <>
      <ul className={commentClasses.replies}>
        {items.map((reply) => (
          <li key={reply.id} ref={handFocusOn}>
            <AnswerableEntry comment={reply} context={context} />
          </li>
        ))}
      </ul>
      <LoadMore query={replies} />
    </>
  )
}

type AnswerableEntryProps = PostCommentProps & {
  onReplied?: () => void
  children?: ReactNode
}

/** A comment or a reply, with the form that answers it. */
function AnswerableEntry({ comment, context, onReplied, children }: AnswerableEntryProps) {
  const signIn = useSignInLink()
  const [isReplying, setReplying] = useState(false)
  const replyButton = useRef<HTMLButtonElement>(null)
  const { viewer } = context
  return (
    <PostEntry
      post={comment}
      context={context}
      action={
        viewer ? (
          <UnstyledButton
            ref={replyButton}
            className={commentClasses.action}
            aria-expanded={isReplying}
            onClick={() => setReplying(!isReplying)}
          >
            REPLY
          </UnstyledButton>
        ) : (
          <Link {...signIn} className={commentClasses.action}>
            Sign in to reply
          </Link>
        )
      }
    >
      {viewer && isReplying && (
        <PostCommentForm
          viewer={viewer}
          answers={comment}
          onDone={(outcome) => {
            setReplying(false)
            replyButton.current?.focus({ preventScroll: true })
            if (outcome === 'posted') onReplied?.()
          }}
        />
      )}
      {children}
    </PostEntry>
  )
}
