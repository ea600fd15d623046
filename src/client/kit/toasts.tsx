import { useNotifications } from '@mantine/notifications'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '#client/platform/when-idle.ts'

const ToastRegion = lazy<ComponentType>(() =>
  import('./toast-region.tsx').catch((error) => {
    console.error(error)
    return { default: () => null }
  }),
)

/** What shows toasts: fetched with the first one, or once the browser has nothing else to do. */
export function Toasts() {
  const { notifications } = useNotifications()
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    void whenIdle().then(() => setIdle(true))
  }, [])
  if (!isIdle && notifications.length === 0) return null
  return (
    <Suspense>
      <ToastRegion />
    </Suspense>
  )
}
