import { stack } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { LoadMore } from '../../kit/list/load-more.tsx'
import { trpc } from '../../trpc.ts'
import { PostsLink } from './comment-place.tsx'
import { HeldText } from './held-text.tsx'
import { useAdminActions } from './use-admin-actions.ts'

/** Renders nothing if there are none. */
export function HeldPosts({ q }: { q: string | undefined }) {
  const held = trpc.moderation.heldPosts.useInfiniteQuery({ q }, nextPage)
  const actions = useAdminActions()
  const items = held.data?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0) return null
  return (
    <div className={stack(16)}>
      {items.map((post) => (
        <HeldText
          key={post.id}
          noun="post"
          text={post}
          author={{ ...post, id: post.channelId }}
          place={
            <>
              A post on{' '}
              <PostsLink channel={{ id: post.channelId, displayName: post.displayName }} />
            </>
          }
          onApprove={() => actions.approvePost({ id: post.id })}
        />
      ))}
      <LoadMore query={held} />
    </div>
  )
}
