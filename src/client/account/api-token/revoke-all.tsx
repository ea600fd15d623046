import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { notifyDone } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'

export default function RevokeAll({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const revoke = trpc.apiToken.revokeAll.useMutation({
    onSuccess: notifyDone('All API tokens revoked'),
    onSettled: () => utils.apiToken.list.invalidate(),
  })
  return (
    <AskDialog
      title="Revoke all API tokens"
      confirmLabel="Revoke all"
      pendingLabel="Revoking..."
      isDanger
      onConfirm={() => revoke.mutateAsync()}
      onClose={onClose}
    >
      <p>
        Programs that use them stop working at once. What they uploaded stays. This cannot be
        undone.
      </p>
    </AskDialog>
  )
}
