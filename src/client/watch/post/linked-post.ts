import { useLocation } from '@tanstack/react-router'
import { commentOfHash } from '#client/platform/comment-hash.ts'
import { trpc } from '#client/trpc.ts'
import type { Post, PostThread } from '#shared/schemas/post.schemas.ts'

/** The post, comment or reply that the address of a channel's page names, with its thread. */
export type LinkedPost = { id: number; thread: PostThread }

/** Whatever the lists have loaded, the thread is at hand. */
export function useLinkedPost(channelId: number): {
  linked: LinkedPost | undefined
  isGone: boolean
} {
  const id = commentOfHash(useLocation({ select: ({ hash }) => hash }))
  const { data: thread, isError } = trpc.post.thread.useQuery(
    { id: id ?? 0 },
    { enabled: id !== undefined },
  )
  const isHere = id !== undefined && thread?.post.channelId === channelId
  return {
    linked: isHere ? { id, thread } : undefined,
    isGone: isError || (thread !== undefined && !isHere),
  }
}

/** A list with a post that it may not have loaded yet, which it has once. */
export function withPost(
  listed: Post[] | undefined,
  post: Post | null | undefined,
  place: 'first' | 'last',
): Post[] | undefined {
  if (!listed || !post || listed.some(({ id }) => id === post.id)) return listed
  return place === 'first' ? [post, ...listed] : [...listed, post]
}
