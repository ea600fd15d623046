import type { ReactNode } from 'react'
import { column, look } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { trpc } from '#client/trpc.ts'
import { CommentsSkeleton } from '../comment/comments.tsx'
import { useLinkedPost } from './linked-post.ts'
import { PostCard } from './post-card.tsx'
import type { PostContext } from './post-context.ts'
import { PostForm } from './post-form.tsx'
import classes from './posts.module.css'

/** Newest first, with a form for the owner. */
export default function ChannelPosts({
  context,
  empty,
}: {
  context: PostContext
  empty: ReactNode
}) {
  const { channelId, viewer } = context
  const { post: linked, postId, commentId, isGone } = useLinkedPost(channelId)
  const posts = trpc.post.list.useInfiniteQuery({ id: channelId }, nextPage)
  const listed = posts.data?.pages.flatMap(({ items }) => items)
  const isAdded = linked && listed?.every(({ id }) => id !== linked.id)
  const items = isAdded ? [linked, ...(listed ?? [])] : listed
  return (
    <div className={`${classes.posts} ${column(16, 'max760')}`} tabIndex={-1}>
      <h2 className="visually-hidden">Community</h2>
      {viewer?.id === channelId && <PostForm viewer={viewer} />}
      {posts.isPending && <CommentsSkeleton />}
      {!posts.isPending && !items && (
        <LoadError
          text={`Error loading posts: ${errorSentence(posts.error)}`}
          error={posts.error}
          onRetry={() => void posts.refetch()}
        />
      )}
      {isGone && (
        <p className={look('note')} role="status">
          The post or comment you followed a link to is gone.
        </p>
      )}
      {items?.length === 0 && empty}
      {items && items.length > 0 && (
        <ul className={column(16)}>
          {items.map((post) => (
            <li key={post.id} ref={passFocusOnRemoval}>
              <PostCard
                post={post}
                context={context}
                isLinked={post.id === postId}
                linkedCommentId={post.id === linked?.id ? (commentId ?? null) : null}
              />
            </li>
          ))}
        </ul>
      )}
      {items && <LoadMore query={posts} />}
    </div>
  )
}
