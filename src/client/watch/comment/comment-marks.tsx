import { IconHeartFilled, IconPinFilled } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import classes from './comment-item.module.css'

const markLook = `${classes.mark} ${row(4, 'inline', 'fine')}`

const WITHHELD = {
  held: 'Waiting for review: only you and the admins can see it',
  hidden: 'Hidden: only admins see it',
  banned: 'Its author is banned: only admins can see it',
}

type Marked = Pick<Comment, 'withheld'> &
  Partial<Pick<Comment, 'isPinned' | 'isHearted' | 'postId'>>

export function CommentMarks({ comment }: { comment: Marked }) {
  const { isPinned = false, isHearted = false, withheld, postId = null } = comment
  if (!isPinned && !isHearted && !withheld) return null
  return (
    <p className={classes.marks}>
      {isPinned && (
        <span className={markLook}>
          <IconPinFilled size={14} aria-hidden />
          Pinned
        </span>
      )}
      {isHearted && (
        <span className={markLook} data-tone="heart">
          <IconHeartFilled size={14} aria-hidden />
          {postId === null ? 'Loved by the uploader' : 'Loved by the author'}
        </span>
      )}
      {withheld && (
        <span className={markLook} data-tone="withheld">
          {WITHHELD[withheld]}
        </span>
      )}
    </p>
  )
}
