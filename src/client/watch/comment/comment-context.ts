import type { ReactNode } from 'react'
import type { CommentSort, Reply } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

/** A video by its `id`, one of its clips, or a post. */
export type CommentPlace = { id: number; clipId?: number } | { postId: number }

/** Which comments are shown, and in which order. */
export type CommentsInput = CommentPlace & { limit: number; sort?: CommentSort }

/** What is commented on. */
export type CommentSubject = {
  place: CommentPlace
  /** Whose comments have a badge; null where the video is anonymous. */
  ownerId: number | null
  /** The viewer owns the video or post, and may pin, love and delete what is said under it. */
  isOwn: boolean
  /** Nobody may comment any more; what was said stays. */
  areCommentsOff: boolean
  /** Of the video or clip, for the times in comments; -1 where nothing plays. */
  durationSeconds: number
  onSeek: (seconds: number) => void
}

/** What every comment on the page needs to know. */
export type CommentContext = {
  subject: CommentSubject
  viewer: OwnUser | null
  renderLike: (comment: Reply) => ReactNode
  /** The comment that the address of the page names. */
  linkedId: number | undefined
  /** How the list was asked for. */
  listInput: CommentsInput
}

/** Posts have smaller comments and words of their own. */
export const isPost = (place: CommentPlace) => 'postId' in place
