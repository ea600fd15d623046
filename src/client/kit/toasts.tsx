import { CloseButton } from '@mantine/core'
import { hideNotification, type NotificationData, useNotifications } from '@mantine/notifications'
import { type ComponentType, type CSSProperties, useEffect, useState } from 'react'
import { isSparing } from '#client/platform/data-saving.ts'
import { TOAST_MS } from '#client/platform/notify.tsx'
import { TOUCH_ALONE } from '#client/platform/use-has-keys.ts'
import { whenIdle } from '#client/platform/when-idle.ts'
import classes from './toasts.module.css'

/** Loaded with the first toast, or when idle except on phones; retries. Until then a toast is plain text. */
export function Toasts() {
  const { notifications } = useNotifications()
  const [isIdle, setIdle] = useState(false)
  const [Region, setRegion] = useState<ComponentType>()
  const isWanted = Region === undefined && (isIdle || notifications.length > 0)
  useEffect(() => {
    if (!isSparing() && !matchMedia(TOUCH_ALONE).matches) void whenIdle().then(() => setIdle(true))
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new toast is another try.
  useEffect(() => {
    if (!isWanted) return
    import('./toast-region.tsx').then((part) => setRegion(() => part.default), console.error)
  }, [isWanted, notifications.length])
  const last = notifications.at(-1)
  if (Region) return <Region />
  return last && <PlainToast {...last} />
}

function PlainToast({ id, role, title, message, color, autoClose }: NotificationData) {
  useEffect(() => {
    if (autoClose === false) return
    const timer = setTimeout(() => hideNotification(id ?? ''), TOAST_MS)
    return () => clearTimeout(timer)
  }, [id, autoClose])
  return (
    <section className={classes.region} aria-label="Messages">
      <div
        role={role}
        className={`${classes.toast} ${classes.plain}`}
        style={{ '--notification-color': `var(--${color ?? 'volt'})` } as CSSProperties}
      >
        <div className={classes.body}>
          <div className={classes.title}>{title}</div>
          <div className={classes.message}>{message}</div>
        </div>
        <CloseButton
          className={classes.close}
          aria-label="Dismiss message"
          iconSize={16}
          onClick={() => hideNotification(id ?? '')}
        />
      </div>
    </section>
  )
}
