import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'

/** Asks before the page is left while a video is on its way. */
export function LeaveGuard({ isUploading }: { isUploading: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isUploading,
    enableBeforeUnload: isUploading,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave while your video uploads?"
      confirmLabel="Leave page"
      pendingLabel="Leave page"
      isPending={false}
      onClose={blocker.reset}
      onConfirm={blocker.proceed}
    >
      The upload stops here. What has arrived is kept for 24 hours: choose the same file again to go
      on where it stopped.
    </ConfirmDialog>
  )
}
