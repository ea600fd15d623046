import { useLocation } from '@tanstack/react-router'
import { commentOfHash, postOfHash } from '#client/platform/comment-hash.ts'
import { trpc } from '#client/trpc.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'

type LinkedPost = {
  post: Post | undefined
  /** Of the post that is named itself, and not by a comment on it. */
  postId: number | undefined
  /** Of the comment on it that is named. */
  commentId: number | undefined
  isGone: boolean
}

/** The post that the address of a channel's page names, itself or by a comment on it, whatever the list has loaded. */
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
