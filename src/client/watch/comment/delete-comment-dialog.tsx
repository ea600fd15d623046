import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import { countReplies } from './count-replies.ts'
import classes from './delete-comment-dialog.module.css'
import { useCommentCache } from './use-comment-cache.ts'

export default function DeleteCommentDialog({
  comment,
  onClose,
}: {
  comment: Comment
  onClose: () => void
}) {
  const { refresh } = useCommentCache()
  const remove = trpc.comment.delete.useMutation({
    onSuccess: async () => {
      notify({ title: 'Comment deleted' })
      // First, so that the focus returns to the comment.
      onClose()
      await refresh()
    },
    onError: (error) => {
      notify({
        tone: 'error',
        title: 'Error',
        message: `Failed to delete comment: ${errorSentence(error)}`,
      })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Delete this comment?"
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id: comment.id })}
      onClose={onClose}
    >
      <blockquote className={classes.quote}>{comment.content}</blockquote>
      <p>{whatGoes(countReplies(comment))}</p>
    </ConfirmDialog>
  )
}

function whatGoes(replyCount: number): string {
  if (replyCount === 0) return 'It cannot be brought back.'
  return `${replyCount === 1 ? 'Its reply goes' : `Its ${replyCount} replies go`} with it. It cannot be brought back.`
}
