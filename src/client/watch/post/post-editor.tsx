import { Button } from '@mantine/core'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import { errorSentence, fieldConflicts } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { POST_MAX } from '#shared/limits.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { PostField } from './post-field.tsx'
import { usePostRefresh } from './use-post-refresh.ts'

const LABELS = { content: 'Text' }

/** Replaces the post while it is edited. */
export default function PostEditor({ post, onDone }: { post: Post; onDone: () => void }) {
  const refresh = usePostRefresh()
  const form = useEditForm<Pick<Post, 'content'>>({
    saved: { content: post.content },
    labels: LABELS,
  })
  const { content } = form.values
  const edit = trpc.post.edit.useMutation({
    onSuccess: async () => {
      await refresh()
      onDone()
    },
    onError: form.noteConflicts,
  })
  const length = content.trim().length
  const isSendable = length > 0 && length <= POST_MAX && !edit.isPending
  return (
    <form
      className={column(8)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSendable) return
        if (form.isChanged) edit.mutate({ id: post.id, content, was: form.edit().was })
        else onDone()
      }}
    >
      <PostField
        label="Edit post"
        value={content}
        onChange={(text) => form.setFieldValue('content', text)}
        problem={edit.error && !fieldConflicts(edit.error) ? errorSentence(edit.error) : null}
        hasFocus
      />
      <EditConflicts form={form} />
      <div className={wrapped(8)}>
        <Button variant="subtle" size="sm" className={look('marginStartAuto')} onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={!isSendable}>
          {edit.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
