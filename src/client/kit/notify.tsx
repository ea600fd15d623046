import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

type Toast = { title: string; message?: string; tone?: 'success' | 'error' }

/** Shows a toast; one that is still there makes room. */
export function notify({ title, message, tone = 'success' }: Toast): void {
  const isError = tone === 'error'
  const Icon = isError ? IconAlertTriangle : IconCheck
  notifications.clean()
  notifications.show({
    title,
    message,
    role: isError ? 'alert' : 'status',
    color: isError ? 'pulse' : 'volt',
    icon: <Icon size={20} aria-hidden />,
  })
}
