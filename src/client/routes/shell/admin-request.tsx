import { useLocation, useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import {
  currentAdminRequest,
  requestAdminAction,
  subscribeToAdminRequest,
} from '../../platform/admin-request.ts'

const ActionDialog = lazyPart(() => import('../../desk/moderation/action-dialog.tsx'))

/** Dialog over any page. */
export function AdminRequest() {
  const action = useSyncExternalStore(subscribeToAdminRequest, currentAdminRequest)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const navigate = useNavigate()
  if (!action) return null
  const leaveDeleted = () => {
    if (action.kind === 'deleteVideo' && path === `/video/${action.id}`) void navigate({ to: '/' })
  }
  return (
    <ActionDialog
      action={action}
      onClose={() => requestAdminAction(undefined)}
      onDone={leaveDeleted}
    />
  )
}
