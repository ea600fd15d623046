import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { Comment } from '#shared/comment.schemas.ts'
import { handFocusOn } from '../../lib/hand-focus-on.ts'
import { CommentBody } from './comment-body.tsx'
import classes from './comment-item.module.css'
import type { CommentContext } from './comments.tsx'

/** A top comment with its replies, which are folded until asked for. */
export function CommentItem({ comment, context }: { comment: Comment; context: CommentContext }) {
  const [areRepliesShown, setRepliesShown] = useState(false)
  const repliesId = useId()
  const replies = comment.replies ?? []
  const showReplies = () => setRepliesShown(true)
  const count = replies.length === 1 ? '1 REPLY' : `${replies.length} REPLIES`
  const Chevron = areRepliesShown ? IconChevronUp : IconChevronDown
  return (
    <CommentBody comment={comment} context={context} avatarSize={36} onReplied={showReplies}>
      {replies.length > 0 && (
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={areRepliesShown}
          aria-controls={repliesId}
          onClick={() => setRepliesShown(!areRepliesShown)}
        >
          <Chevron size={18} aria-hidden />
          {areRepliesShown ? `HIDE ${count}` : count}
        </button>
      )}
      <ul id={repliesId} className={classes.replies} hidden={!areRepliesShown}>
        {areRepliesShown &&
          replies.map((reply) => (
            <li key={reply.id} ref={handFocusOn}>
              <CommentBody
                comment={reply}
                context={context}
                avatarSize={28}
                onReplied={showReplies}
              />
            </li>
          ))}
      </ul>
    </CommentBody>
  )
}
