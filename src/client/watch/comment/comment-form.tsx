import { Button } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { notify } from '#client/platform/notify.tsx'
import { COMMENT_MAX } from '#shared/limits.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { MentionField } from '../mention/mention-field.tsx'
import { type CommentsInput, isPost } from './comment-context.ts'
import classes from './comment-form.module.css'
import { usePostComment } from './use-post-comment.ts'

type CommentFormProps = {
  viewer: OwnUser
  /** How the list that the comment will be in was asked for. */
  listInput: CommentsInput
  /** The comment or reply that is answered, and its top comment; without it a top comment is written. */
  answers?: { commentId: number; topId: number; name: string }
  /** When the comment is in the list, before the server has it. */
  onSent?: () => void
  onSaved?: (comment: Comment) => void
  /** After posting, and after Cancel. */
  onDone?: (outcome: 'posted' | 'cancelled') => void
}

/** Where a comment or a reply is written; its buttons appear with the focus. */
export function CommentForm(props: CommentFormProps) {
  const { viewer, listInput, answers, onSent, onSaved, onDone } = props
  const [content, setContent] = useState('')
  const [isOpen, setOpen] = useState(answers !== undefined)
  const field = useRef<HTMLTextAreaElement>(null)
  /** Its buttons go away, and a disabled one has lost the focus already: it stays with the form. */
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
          ? 'Others see it once the people who run this site have looked at it.'
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
      className={classes.form}
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
      <div className={classes.words}>
        <MentionField
          ref={field}
          classNames={{ input: classes.text }}
          aria-label={label}
          placeholder={answers ? label : 'Add a comment...'}
          rows={1}
          maxLength={COMMENT_MAX}
          value={content}
          // The form opens because its REPLY was pressed.
          autoFocus={answers !== undefined}
          onFocus={() => setOpen(true)}
          onChange={(text) => {
            setOpen(true)
            setContent(text)
          }}
          onKeyDown={pressKey}
        />
        {isOpen && (
          <div className={classes.actions}>
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
