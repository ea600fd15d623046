import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

type DeleteClipDialogProps = {
  clip: Pick<Clip, 'id' | 'title'>
  onDeleted: () => void
  onClose: () => void
}

export default function DeleteClipDialog({ clip, onDeleted, onClose }: DeleteClipDialogProps) {
  const utils = trpc.useUtils()
  const remove = trpc.clip.delete.useMutation({
    // Stops the page's polling for the file.
    onMutate: ({ id }) =>
      utils.clip.byId.setData({ id }, (shown) => shown && { ...shown, isFileComing: false }),
    onSuccess: async () => {
      onClose()
      onDeleted()
      notify({ title: 'Clip deleted', message: 'The video itself is unchanged.' })
      const { ofVideo, ofChannel, newest, bestOfWeek, search, mine } = utils.clip
      // Not the deleted clip itself.
      const lists = [ofVideo, ofChannel, newest, bestOfWeek, search, mine]
      await Promise.all(lists.map((list) => list.invalidate()))
    },
    onError: (error, { id }) => {
      void utils.clip.byId.invalidate({ id })
      const message = `Failed to delete clip: ${errorMessage(error)}`
      notify({ tone: 'error', title: 'Error', message })
    },
  })
  return (
    <ConfirmDialog
      title="Delete clip?"
      confirmLabel="Delete Clip"
      pendingLabel="Deleting..."
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id: clip.id })}
      onClose={onClose}
    >
      “{clip.title}” goes with its likes and comments. The video that it is from stays.
    </ConfirmDialog>
  )
}
