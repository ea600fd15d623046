import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId } from 'react'
import { column } from '#client/kit/layout/layout.ts'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'
import { CommentBody } from './comment-body.tsx'
import type { CommentContext } from './comment-context.ts'
import classes from './comment-item.module.css'
import { countReplies } from './count-replies.ts'
import { FurtherReplies } from './further-replies.tsx'
import { useOpenedBy } from './use-opened-by.ts'

/** Replies are folded at first, unless one of them is linked or was let in. */
export function CommentItem({ comment, context }: { comment: Comment; context: CommentContext }) {
  const { linkedId, letInIds } = context
  const wanted = comment.replies?.find(({ id }) => id === linkedId || letInIds.includes(id))
  const [areRepliesShown, setRepliesShown] = useOpenedBy(wanted?.id ?? null)
  const repliesId = useId()
  const replies = comment.replies ?? []
  const showReplies = () => setRepliesShown(true)
  const replyCount = countReplies(comment)
  const count = replyCount === 1 ? '1 REPLY' : `${replyCount} REPLIES`
  const renderReply = (reply: Reply) => (
    <li key={reply.id} ref={passFocusOnRemoval}>
      <CommentBody comment={reply} context={context} onReplied={showReplies} />
    </li>
  )
  const Chevron = areRepliesShown ? IconChevronUp : IconChevronDown
  return (
    <CommentBody comment={comment} context={context} onReplied={showReplies}>
      {replies.length > 0 && (
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={areRepliesShown}
          aria-controls={repliesId}
          onClick={() => setRepliesShown(!areRepliesShown)}
        >
          <Chevron size={18} aria-hidden />
          {areRepliesShown ? `HIDE ${count}` : count}
        </UnstyledButton>
      )}
      <ul id={repliesId} className={column(12, 'fullWidth', 'above8')} hidden={!areRepliesShown}>
        {areRepliesShown && (
          <>
            {replies.map(renderReply)}
            <FurtherReplies comment={comment} shown={replies} renderReply={renderReply} />
          </>
        )}
      </ul>
    </CommentBody>
  )
}
