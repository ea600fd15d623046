import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { withLike } from '../like/like-counts.ts'
import { LikeInvitation, LikePair } from '../like/like-pair.tsx'
import { usePostRefresh } from './use-post-refresh.ts'

export function PostLike({ post, isSignedIn }: { post: Post; isSignedIn: boolean }) {
  const refresh = usePostRefresh()
  const like = trpc.post.like.useMutation({
    onError: (error) => notify({ tone: 'error', title: 'Error', message: serverSentence(error) }),
    // Awaited, so that the optimistic value stays until the lists agree.
    onSettled: () => refresh(),
  })
  const counts = like.isPending ? withLike(post, like.variables.like) : post
  if (!isSignedIn) return <LikeInvitation counts={post} size="small" text="Sign in to rate" />
  return (
    <LikePair
      counts={counts}
      size="small"
      onPress={(pressed) => {
        if (like.isPending) return
        like.mutate({ id: post.id, like: counts.myRating === pressed ? null : pressed })
      }}
    />
  )
}
