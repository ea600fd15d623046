import { useBlocker } from '@tanstack/react-router'
import { LazyConfirmModal } from '../../components/lazy-confirm-modal.tsx'

/** Asks before the page is left while a video is on its way. */
export function LeaveGuard({ isUploading }: { isUploading: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isUploading,
    enableBeforeUnload: isUploading,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <LazyConfirmModal
      opened
      title="Leave while your video uploads?"
      confirmLabel="Leave page"
      pendingLabel="Leave page"
      pending={false}
      onClose={blocker.reset}
      onConfirm={blocker.proceed}
    >
      The upload stops here. What has arrived is kept for 24 hours: choose the same file again to go
      on where it stopped.
    </LazyConfirmModal>
  )
}
