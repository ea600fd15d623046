import { Button } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { column, row } from '#client/kit/layout/layout.ts'
import { MentionField } from '#client/kit/mention/mention-field.tsx'
import { errorSentence, fieldConflicts } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { COMMENT_MAX } from '#shared/limits.ts'
import type { Reply } from '#shared/schemas/comment.schemas.ts'
import classes from './comment-form.module.css'
import { useCommentCache } from './use-comment-cache.ts'

const LABELS = { content: 'Comment' }

/** Replaces the comment while it is edited. */
export default function CommentEditor({ comment, onDone }: { comment: Reply; onDone: () => void }) {
  const { refresh } = useCommentCache()
  const form = useEditForm<Pick<Reply, 'content'>>({
    saved: { content: comment.content },
    labels: LABELS,
  })
  const { content } = form.values
  const edit = trpc.comment.edit.useMutation({
    onSuccess: async () => {
      await refresh()
      onDone()
    },
    onError: (error) => {
      form.noteConflicts(error)
      if (fieldConflicts(error)) return
      const message = `Failed to save comment: ${errorSentence(error)}`
      notify({ tone: 'error', title: 'Error', message })
    },
  })
  const isChanged = form.isChanged && content.trim() !== comment.content
  const isSendable = content.trim().length > 0 && !edit.isPending
  const save = () => {
    if (!isSendable) return
    if (isChanged) edit.mutate({ id: comment.id, content, was: form.edit().was })
    else onDone()
  }
  const pressKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
    if (event.key === 'Escape' && !isChanged) onDone()
  }
  return (
    <form
      className={column(8)}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <MentionField
        ref={focusEnd}
        classNames={{ input: classes.text }}
        aria-label="Edit comment"
        rows={1}
        maxLength={COMMENT_MAX}
        value={content}
        onChange={(text) => form.setFieldValue('content', text)}
        onKeyDown={pressKey}
      />
      <EditConflicts form={form} />
      <div className={row(8, 'stretch', 'end')}>
        <Button variant="subtle" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={!isSendable}>
          {edit.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

function focusEnd(field: HTMLTextAreaElement | null): void {
  if (!field) return
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
}
