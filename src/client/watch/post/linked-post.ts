import { useLocation } from '@tanstack/react-router'
import { trpc } from '#client/trpc.ts'
import { commentOfHash, postOfHash } from '#shared/comment-hash.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'

type LinkedPost = {
  post: Post | undefined
  /** Undefined if a comment is linked. */
  postId: number | undefined
  commentId: number | undefined
  isGone: boolean
}

/** From the address of a channel's page, directly or by a comment; need not be loaded in the list. */
export function useLinkedPost(channelId: number): LinkedPost {
  const hash = useLocation({ select: (location) => location.hash })
  const [postId, commentId] = [postOfHash(hash), commentOfHash(hash)]
  const thread = trpc.comment.thread.useQuery(
    { id: commentId ?? 0 },
    { enabled: commentId !== undefined },
  )
  const id = postId ?? thread.data?.postId ?? undefined
  const post = trpc.post.get.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  const isElsewhere =
    (thread.data !== undefined && thread.data.postId === null) ||
    (post.data !== undefined && post.data.channelId !== channelId)
  const isGone = thread.isError || post.isError || isElsewhere
  return { post: isGone ? undefined : post.data, postId, commentId, isGone }
}
