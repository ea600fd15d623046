import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** How long a toast stays, unless it has a button. */
export const TOAST_MS = 5000

type Toast = {
  title: string
  message?: string
  tone?: 'success' | 'error'
  /** A button to press; the toast stays until then. */
  action?: ReactNode
}

/** Shows a toast; one that is still there makes room. */
export function notify({ title, message, tone = 'success', action }: Toast): void {
  const isError = tone === 'error'
  const Icon = isError ? IconAlertTriangle : IconCheck
  notifications.clean()
  notifications.show({
    title,
    message: action ? (
      <>
        <p>{message}</p>
        {action}
      </>
    ) : (
      message
    ),
    ...(action && { autoClose: false }),
    role: isError ? 'alert' : 'status',
    color: isError ? 'pulse' : 'volt',
    icon: <Icon size={20} aria-hidden />,
  })
}
