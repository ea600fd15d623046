import { useLocation } from '@tanstack/react-router'
import { trpc } from '#client/trpc.ts'
import { commentOfHash } from '#shared/comment-hash.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { CommentPlace } from './comment-context.ts'

type LinkedComment = {
  /** Undefined without one. */
  id: number | undefined
  thread: Comment | undefined
  isGone: boolean
}

/** With its thread, wherever it is in the list. */
export function useLinkedComment(place: CommentPlace): LinkedComment {
  const hash = useLocation({ select: (location) => location.hash })
  const id = commentOfHash(hash)
  const query = trpc.comment.thread.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  const isHere = query.data !== undefined && isOn(query.data, place)
  const isGone = query.isError || (query.data !== undefined && !isHere)
  return { id, thread: isHere && !isGone ? query.data : undefined, isGone }
}

function isOn(comment: Comment, place: CommentPlace): boolean {
  if ('postId' in place) return comment.postId === place.postId
  return comment.videoId === place.id && comment.clipId === (place.clipId ?? null)
}
