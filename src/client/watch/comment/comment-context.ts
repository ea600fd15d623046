import type { ReactNode } from 'react'
import type { CommentSort, Reply } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

/** Which comments are shown, and in which order: those on a video, or on a clip of it. */
export type CommentsInput = { id: number; clipId?: number; limit: number; sort?: CommentSort }

/** What every comment on the page needs to know. */
export type CommentContext = {
  durationSeconds: number
  viewer: OwnUser | null
  /** The owner of a video may pin, love and delete what is said under it. */
  ownsVideo: boolean
  /** Whose comments have a badge; null where the video is anonymous. */
  uploaderId: number | null
  onSeek: (seconds: number) => void
  renderLike: (comment: Reply) => ReactNode
  /** Nobody may comment any more; what was said stays. */
  areCommentsOff: boolean
  /** The comment that the address of the page names. */
  linkedId?: number | undefined
  /** How the list was asked for. */
  listInput: CommentsInput
}
