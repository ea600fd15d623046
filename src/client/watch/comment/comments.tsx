import { useState } from 'react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import { NewsLine } from '#client/kit/list/news-line.tsx'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { errorMessage } from '#client/platform/error-message.ts'
import { STILL_WHILE_LIVE } from '#client/platform/live-stream.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { usePreloadWhenIdle } from '#client/platform/use-preload-when-idle.ts'
import { trpc } from '#client/trpc.ts'
import { NEW_COMMENTS_MAX } from '#shared/limits.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import { useVideoNews } from '../live/use-video-news.ts'
import { takeNewComments } from '../live/video-news.ts'
import { CommentActions } from './comment-body.tsx'
import { type CommentContext, isPost } from './comment-context.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import { CommentOrder } from './comment-order.tsx'
import { useCommentsInput } from './comment-sort.ts'
import classes from './comments.module.css'
import { useLinkedComment } from './linked-comment.ts'
import { SpeechDrawing } from './speech-drawing.tsx'
import { useCommentCache } from './use-comment-cache.ts'

const SKELETONS = [0, 1, 2]

function newCommentsText(count: number): string {
  if (count === 1) return '1 new comment'
  return `${count}${count < NEW_COMMENTS_MAX ? '' : '+'} new comments`
}

type CommentsProps = Pick<CommentContext, 'subject' | 'viewer' | 'renderLike'>

export function Comments({ subject, viewer, renderLike }: CommentsProps) {
  const { place, areCommentsOff } = subject
  const isOnPost = isPost(place)
  const signIn = useSignInLink()
  const listInput = useCommentsInput(place)
  const { refresh } = useCommentCache()
  const linked = useLinkedComment(place)
  const [letInIds, setLetInIds] = useState<readonly number[]>([])
  const context = { subject, viewer, renderLike, listInput, linkedId: linked.id, letInIds }
  usePreloadWhenIdle(CommentActions, viewer !== null)
  const comments = trpc.comment.list.useInfiniteQuery(listInput, {
    ...nextPage,
    ...STILL_WHILE_LIVE,
    // Keeps the previous order until the other is loaded.
    placeholderData: (before) => before,
  })
  const count = trpc.comment.count.useQuery(place).data ?? 0
  const pinned = trpc.comment.pinned.useQuery(place).data
  const listed = comments.data?.pages.flatMap((page) => page.items)
  // The viewer's own new comment, and those of others that were let in, stay at the top.
  const [firstIds, setFirstIds] = useState<readonly number[]>([])
  const putAtTop = (ids: readonly number[]) => setFirstIds((before) => [...ids, ...before])
  const threads = trpc.useQueries((t) => firstIds.map((id) => t.comment.thread({ id })))
  const first = threads.map(({ isError, data }) => (isError ? undefined : data))
  const items = listed && putFirst([linked.thread, pinned, ...first], listed)
  const newCount = useVideoNews('id' in place ? place.id : undefined)?.newComments.length ?? 0
  const letNewIn = () => {
    const taken = takeNewComments()
    const isListed = (id: number) => listed?.some((comment) => comment.id === id)
    // A list by time has new comments at its top by itself.
    const isElsewhere = ({ parentId }: Reply) =>
      parentId === null ? listInput.sort !== undefined : !isListed(parentId)
    putAtTop(taken.filter(isElsewhere).map(({ id }) => id))
    setLetInIds(taken.map(({ id }) => id))
    void refresh()
  }
  return (
    <section
      className={`${classes.root} ${column(16)}`}
      aria-label={isOnPost ? undefined : 'Comments'}
      data-post={isOnPost || undefined}
    >
      {!isOnPost && (
        <div className={row([0, 16], 'wrap', 'between', 'small')}>
          <h2 className={row(8, 'stretch', 'heading')}>
            Comments
            {count > 0 && (
              <span className={look('muted')}>
                <RollingNumber value={count}>{formatCount(count)}</RollingNumber>
              </span>
            )}
          </h2>
          {count > 1 && <CommentOrder />}
        </div>
      )}
      {areCommentsOff && (
        <p className={look('pad12x16', 'outlined', 'muted')}>
          Comments are turned off for this video.
        </p>
      )}
      {viewer && !areCommentsOff && (
        <CommentForm
          viewer={viewer}
          listInput={listInput}
          onSaved={(saved) => putAtTop([saved.id])}
        />
      )}
      {!viewer && !areCommentsOff && (
        <p className={row(0, 'stretch')}>
          <LinkButton {...signIn} variant="default">
            Sign in to add a comment
          </LinkButton>
        </p>
      )}
      {isOnPost && count > 1 && (
        <div className={row(0, 'stretch', 'end')}>
          <CommentOrder />
        </div>
      )}
      <NewsLine
        text={newCount > 0 ? newCommentsText(newCount) : undefined}
        onShow={letNewIn}
        className={classes.news}
      />
      {comments.isPending && <CommentsSkeleton />}
      {comments.isError && !items && (
        <LoadError
          text={`Error loading comments: ${errorMessage(comments.error)}`}
          error={comments.error}
          onRetry={() => void comments.refetch()}
        />
      )}
      {items?.length === 0 && isOnPost && <p className={look('note')}>No comments yet</p>}
      {items?.length === 0 && !isOnPost && !areCommentsOff && (
        <EmptyState compact drawing={<SpeechDrawing />} title="No comments yet">
          Say what you think of it.
        </EmptyState>
      )}
      {linked.isGone && !isOnPost && (
        <p className={look('pad12x16', 'outlined', 'muted')} role="status">
          The comment you followed a link to is gone.
        </p>
      )}
      {items && items.length > 0 && (
        <ul
          className={`${classes.list} ${column(16, 'above8')}`}
          aria-busy={comments.isPlaceholderData}
        >
          {items.map((comment) => (
            <li key={comment.id} ref={passFocusOnRemoval}>
              <CommentItem comment={comment} context={context} />
            </li>
          ))}
        </ul>
      )}
      {items && !comments.isPlaceholderData && <LoadMore query={comments} />}
      {comments.isFetchingNextPage && <CommentsSkeleton />}
    </section>
  )
}

/** Without duplicates. */
function putFirst(first: (Comment | null | undefined)[], listed: Comment[]): Comment[] {
  const all = [...first.filter((comment) => comment != null), ...listed]
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index)
}

export function CommentsSkeleton() {
  return (
    <div
      className={`${classes.list} ${column(16, 'above8')}`}
      role="status"
      aria-label="Loading comments"
    >
      {SKELETONS.map((index) => (
        <div key={index} className={classes.skeleton} aria-hidden="true">
          <span className={classes.skeletonAvatar} />
          <span className={classes.skeletonLine} data-short />
          <span className={classes.skeletonLine} />
        </div>
      ))}
    </div>
  )
}
