import { column } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { trpc } from '#client/trpc.ts'
import { CommentsSkeleton } from '../comment/comments.tsx'
import { SpeechDrawing } from '../comment/speech-drawing.tsx'
import { PostCard } from './post-card.tsx'
import type { PostContext } from './post-context.ts'
import { PostForm } from './post-form.tsx'
import classes from './posts.module.css'

type SquadPostsProps = {
  squad: { id: number; name: string; isMember: boolean }
  context: Omit<PostContext, 'channelId'>
}

/** Lists the posts that members of the squad wrote, for the squad or for everyone. */
export default function SquadPosts({ squad, context }: SquadPostsProps) {
  const { viewer } = context
  const posts = trpc.squad.posts.useInfiniteQuery({ id: squad.id, limit: 10 }, nextPage)
  const items = posts.data?.pages.flatMap((page) => page.items)
  return (
    <div className={`${classes.posts} ${column(16, 'max760')}`} tabIndex={-1}>
      <h2 className="visually-hidden">Posts</h2>
      {viewer && squad.isMember && <PostForm viewer={viewer} squad={squad} />}
      {posts.isPending && <CommentsSkeleton />}
      {!posts.isPending && !items && (
        <LoadError error={posts.error} onRetry={() => void posts.refetch()} />
      )}
      {items?.length === 0 && (
        <EmptyState drawing={<SpeechDrawing />} title="No posts yet">
          What its members write is shown here.
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ul className={column(16)}>
          {items.map((post) => (
            <li key={post.id} ref={passFocusOnRemoval}>
              <PostCard
                post={post}
                context={{ ...context, channelId: post.channelId }}
                isLinked={false}
                linkedCommentId={null}
              />
            </li>
          ))}
        </ul>
      )}
      {items && <LoadMore query={posts} />}
    </div>
  )
}
