import type { ReactNode } from 'react'
import type { CommentSort, Reply } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

/** A video by its `id`, one of its clips, or a post. */
export type CommentPlace = { id: number; clipId?: number } | { postId: number }

/** The list's query. */
export type CommentsInput = CommentPlace & { limit: number; sort?: CommentSort }

export type CommentSubject = {
  place: CommentPlace
  /** Their comments have a badge; null for an anonymous video. */
  ownerId: number | null
  /** May pin, heart and delete comments. */
  isOwn: boolean
  /** Existing comments stay. */
  areCommentsOff: boolean
  /** Of the video or clip, for times in comments; -1 without a player. */
  durationSeconds: number
  onSeek: (seconds: number) => void
}

export type CommentContext = {
  subject: CommentSubject
  viewer: OwnUser | null
  renderLike: (comment: Reply) => ReactNode
  /** From the page's address. */
  linkedId: number | undefined
  /** Comments of others that came while the page was open and that the viewer asked for. */
  letInIds: readonly number[]
  listInput: CommentsInput
}

/** Posts have smaller comments and other texts. */
export const isPost = (place: CommentPlace) => 'postId' in place
