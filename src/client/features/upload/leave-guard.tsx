import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

const ConfirmModal = lazy(async () => ({
  default: (await import('../../components/confirm-modal.tsx')).ConfirmModal,
}))

/** Asks before the page is left while a video is on its way. */
export function LeaveGuard({ isUploading }: { isUploading: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isUploading,
    enableBeforeUnload: isUploading,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense>
      <ConfirmModal
        opened
        title="Leave while your video uploads?"
        confirmLabel="Leave page"
        pendingLabel="Leave page"
        pending={false}
        onClose={blocker.reset}
        onConfirm={blocker.proceed}
      >
        The upload stops here. What has arrived is kept for 24 hours: choose the same file again to
        go on where it stopped.
      </ConfirmModal>
    </Suspense>
  )
}
