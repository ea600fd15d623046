import { useId } from 'react'
import type { Comment } from '#shared/comment.schemas.ts'
import { Button } from '../../components/button.tsx'
import { notify } from '../../kit/notify.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { modal } from '../../lib/modal.ts'
import { trpc } from '../../trpc.ts'
import { countReplies } from './count-replies.ts'
import classes from './delete-comment-dialog.module.css'

/** Asks before a comment goes away for good, with its replies. */
export function DeleteCommentDialog({
  comment,
  onClose,
}: {
  comment: Comment
  onClose: () => void
}) {
  const titleId = useId()
  const utils = trpc.useUtils()
  const remove = trpc.comment.delete.useMutation({
    onSuccess: async () => {
      notify({ title: 'Comment deleted' })
      // First, so that the focus is back on the comment and goes on from there.
      onClose()
      await Promise.all([
        utils.comment.list.invalidate({ id: comment.videoId }),
        utils.comment.replies.invalidate(),
      ])
    },
    onError: (error) => {
      notify({
        tone: 'error',
        title: 'Error',
        message: `Failed to delete comment: ${errorMessage(error)}`,
      })
      onClose()
    },
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without our help.
    <dialog
      {...modal(onClose)}
      className={classes.dialog}
      aria-labelledby={titleId}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className={classes.body}>
        <h2 id={titleId} className={classes.title}>
          Delete this comment?
        </h2>
        <blockquote className={classes.quote}>{comment.content}</blockquote>
        <p className={classes.hint}>{whatGoes(countReplies(comment))}</p>
        <div className={classes.actions}>
          <Button
            variant="default"
            autoFocus
            onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
          >
            Cancel
          </Button>
          <Button
            className={classes.delete}
            disabled={remove.isPending}
            onClick={() => remove.mutate({ id: comment.id })}
          >
            {remove.isPending ? 'Deleting...' : 'Delete'}
          </Button>
        </div>
      </div>
    </dialog>
  )
}

function whatGoes(replyCount: number): string {
  if (replyCount === 0) return 'It cannot be brought back.'
  return `${replyCount === 1 ? 'Its reply goes' : `Its ${replyCount} replies go`} with it. It cannot be brought back.`
}
