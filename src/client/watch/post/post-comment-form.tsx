import { Button } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { COMMENT_MAX } from '#shared/limits.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import commentClasses from '../comment/comment-form.module.css'
import { MentionField } from '../mention/mention-field.tsx'

type PostCommentFormProps = {
  viewer: OwnUser
  /** The post that is commented on, or the comment that is answered. */
  answers: Post
  /** After a reply, and after its Cancel. */
  onDone?: (outcome: 'posted' | 'cancelled') => void
}

/** Where a comment on a post, or a reply to one, is written; its buttons appear with the focus. */
export function PostCommentForm({ viewer, answers, onDone }: PostCommentFormProps) {
  const isReply = answers.parentId !== null
  const [content, setContent] = useState('')
  const [isOpen, setOpen] = useState(isReply)
  const field = useRef<HTMLTextAreaElement>(null)
  const utils = trpc.useUtils()
  const send = trpc.post.comment.useMutation({
    onSuccess: async ({ withheld }) => {
      setContent('')
      setOpen(false)
      notify({
        title: isReply ? 'Reply added' : 'Comment added',
        message: withheld
          ? 'Others see it once the people who run this site have looked at it.'
          : 'Your comment has been posted successfully.',
      })
      onDone?.('posted')
      await utils.post.invalidate()
    },
    onError: (error) => notify({ tone: 'error', title: 'Error', message: serverSentence(error) }),
  })
  const isSendable = content.trim() !== '' && !send.isPending
  const label = isReply
    ? `Reply to ${answers.user?.displayName ?? 'Deleted user'}`
    : 'Add a comment'
  const submit = () => {
    if (isSendable) send.mutate({ id: answers.id, content })
  }
  const cancel = () => {
    setContent('')
    field.current?.focus()
    setOpen(false)
    onDone?.('cancelled')
  }
  return (
    <form
      className={commentClasses.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <UserAvatar name={viewer.displayName} src={viewer.avatarUrl} size={28} />
      <div className={commentClasses.words}>
        <MentionField
          ref={field}
          classNames={{ input: commentClasses.text }}
          aria-label={label}
          placeholder={isReply ? label : 'Add a comment...'}
          rows={1}
          maxLength={COMMENT_MAX}
          value={content}
          // The form opens because its REPLY was pressed.
          autoFocus={isReply}
          onFocus={() => setOpen(true)}
          onChange={(text) => {
            setOpen(true)
            setContent(text)
          }}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
            if (event.key === 'Escape' && content === '') cancel()
          }}
        />
        {isOpen && (
          <div className={commentClasses.actions}>
            <Button variant="subtle" size="sm" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" size="sm" disabled={!isSendable}>
              {send.isPending ? 'Posting...' : isReply ? 'Reply' : 'Comment'}
            </Button>
          </div>
        )}
      </div>
    </form>
  )
}
