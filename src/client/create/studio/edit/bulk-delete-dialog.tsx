import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { BulkResult, Video } from '#shared/schemas/video.schemas.ts'
import classes from './bulk-dialog.module.css'
import { BulkProblems } from './bulk-problems.tsx'

type BulkDeleteDialogProps = {
  videos: Video[]
  onDone: (result: BulkResult) => void
  onClose: () => void
}

export default function BulkDeleteDialog({ videos, onDone, onClose }: BulkDeleteDialogProps) {
  const utils = trpc.useUtils()
  const remove = trpc.video.deleteMany.useMutation({
    async onSuccess(result) {
      onDone(result)
      if (result.failed.length === 0) {
        onClose()
        const count = result.done.length
        notify({ title: count === 1 ? 'Video deleted' : `${count} videos deleted` })
      }
      await Promise.all([utils.video.invalidate(), utils.search.invalidate()])
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'Failed to delete videos', message: errorSentence(error) }),
  })
  const failed = new Set(remove.data?.failed.map(({ id }) => id))
  const left = remove.data ? videos.filter(({ id }) => failed.has(id)) : videos
  const count = left.length
  const label = count === 1 ? 'Delete 1 video' : `Delete ${count} videos`
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => remove.mutate({ ids: left.map(({ id }) => id) })}
      title={label}
      confirmLabel={label}
      pendingLabel="Deleting..."
      isPending={remove.isPending}
    >
      <p>
        {count === 1 ? 'This video' : `These ${count} videos`} will be deleted for good, with all
        clips, views, likes and comments. This cannot be undone.
      </p>
      <ul className={classes.titles}>
        {left.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <BulkProblems result={remove.data} videos={videos} verb="deleted" />
    </ConfirmDialog>
  )
}
