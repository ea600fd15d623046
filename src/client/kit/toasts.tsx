import { useNotifications } from '@mantine/notifications'
import { type ComponentType, useEffect, useState } from 'react'
import { whenIdle } from '#client/platform/when-idle.ts'

/** What shows toasts: fetched with the first one, or once the browser has nothing else to do, and again if that fails. */
export function Toasts() {
  const { notifications } = useNotifications()
  const [isIdle, setIdle] = useState(false)
  const [Region, setRegion] = useState<ComponentType>()
  const isWanted = Region === undefined && (isIdle || notifications.length > 0)
  useEffect(() => {
    void whenIdle().then(() => setIdle(true))
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new toast is another try.
  useEffect(() => {
    if (!isWanted) return
    import('./toast-region.tsx').then((part) => setRegion(() => part.default), console.error)
  }, [isWanted, notifications.length])
  return Region && <Region />
}
