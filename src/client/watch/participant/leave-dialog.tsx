import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'

type LeaveDialogProps = { videoId: number; viewerId: number; onClose: () => void }

export default function LeaveDialog({ videoId, viewerId, onClose }: LeaveDialogProps) {
  const utils = trpc.useUtils()
  const remove = trpc.participant.remove.useMutation({
    onSuccess: async () => {
      notify({ title: 'Your name was removed' })
      onClose()
      await Promise.all([utils.participant.invalidate(), utils.notification.invalidate()])
    },
    onError: (error) => {
      notify({ tone: 'error', title: 'Error', message: serverSentence(error) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Remove your name?"
      confirmLabel="Remove my name"
      pendingLabel="Removing..."
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ videoId, userId: viewerId })}
      onClose={onClose}
    >
      <p>
        Your channel no longer lists the video under ‘Appears in’, and its owner cannot name you on
        it again.
      </p>
    </ConfirmDialog>
  )
}
