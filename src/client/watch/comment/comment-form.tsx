import { Button } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { beside, column, row } from '#client/kit/layout/layout.ts'
import { MentionField } from '#client/kit/mention/mention-field.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { notify } from '#client/platform/notify.tsx'
import { COMMENT_MAX } from '#shared/limits.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { type CommentsInput, isPost } from './comment-context.ts'
import classes from './comment-form.module.css'
import { useDraft } from './use-draft.ts'
import { usePostComment } from './use-post-comment.ts'

type CommentFormProps = {
  viewer: OwnUser
  listInput: CommentsInput
  /** Undefined for a top comment. */
  answers?: { commentId: number; topId: number; name: string }
  /** When the draft is in the list. */
  onSent?: () => void
  onSaved?: (comment: Comment) => void
  /** Also after Cancel. */
  onDone?: (outcome: 'posted' | 'cancelled') => void
}

/** Its buttons appear on focus. */
export function CommentForm(props: CommentFormProps) {
  const { viewer, listInput, answers, onSent, onSaved, onDone } = props
  const [content, setContent] = useDraft({ viewer, listInput, answersId: answers?.commentId })
  const [isOpen, setOpen] = useState(answers !== undefined || content !== '')
  const field = useRef<HTMLTextAreaElement>(null)
  /** The buttons disappear, and a disabled one has lost the focus, so the form takes it. */
  const fold = () => {
    const { activeElement, body } = document
    setContent('')
    if (activeElement === body || field.current?.form?.contains(activeElement)) {
      field.current?.focus()
    }
    setOpen(false)
  }
  const { post: send, isPosting } = usePostComment(listInput, {
    posted(saved) {
      const { withheld } = saved
      onSaved?.(saved)
      fold()
      notify({
        title: answers ? 'Reply added' : 'Comment added',
        message: withheld
          ? 'Others will see it once an admin has reviewed it.'
          : 'Your comment has been posted successfully.',
      })
      onDone?.('posted')
    },
    refused: (text) => setContent((now) => now || text),
  })
  const isSendable = content.trim().length > 0 && !isPosting
  const label = answers ? `Reply to ${answers.name}` : 'Add a comment'
  const post = () => {
    if (!isSendable) return
    setContent('')
    onSent?.()
    void send({
      content,
      viewer,
      answersId: answers?.commentId,
      topId: answers?.topId,
    })
  }
  const cancel = () => {
    fold()
    onDone?.('cancelled')
  }
  const pressKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) post()
    if (event.key === 'Escape' && content === '') cancel()
  }
  return (
    <form
      className={beside(12)}
      onSubmit={(event) => {
        event.preventDefault()
        post()
      }}
    >
      <UserAvatar
        name={viewer.displayName}
        src={viewer.avatarUrl}
        size={answers || isPost(listInput) ? 28 : 36}
      />
      <div className={column(8)}>
        <MentionField
          ref={field}
          classNames={{ input: classes.text }}
          aria-label={label}
          placeholder={answers ? label : 'Add a comment...'}
          rows={1}
          maxLength={COMMENT_MAX}
          value={content}
          // The user pressed REPLY.
          autoFocus={answers !== undefined}
          onFocus={() => setOpen(true)}
          onChange={(text) => {
            setOpen(true)
            setContent(text)
          }}
          onKeyDown={pressKey}
        />
        {isOpen && (
          <div className={row(8, 'stretch', 'end')}>
            <Button variant="subtle" size="sm" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" size="sm" disabled={!isSendable}>
              {isPosting ? 'Posting...' : answers ? 'Reply' : 'Comment'}
            </Button>
          </div>
        )}
      </div>
    </form>
  )
}
