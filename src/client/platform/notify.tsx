import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Unless the toast has a button. */
export const TOAST_MS = 5000

type Toast = {
  title: string
  message?: string
  tone?: 'success' | 'error'
  /** Keeps the toast until pressed. */
  action?: ReactNode
}

/**
 * Replaces the current toast.
 * @returns the id of the toast
 */
export function notify({ title, message, tone = 'success', action }: Toast): string {
  const isError = tone === 'error'
  const Icon = isError ? IconAlertTriangle : IconCheck
  notifications.clean()
  return notifications.show({
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
