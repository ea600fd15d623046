import { useDrag, useHotkeys } from '@mantine/hooks'
import { Notifications, notifications, notificationsStore } from '@mantine/notifications'
import { type FocusEvent, type MouseEvent, useRef, useState } from 'react'
import { TOAST_MS } from '#client/platform/notify.tsx'
import classes from './toasts.module.css'

const FOCUS_KEY = 'F8'
const SWIPE_THRESHOLD_PX = 50

/** One toast at a time, announced, focused by F8, swiped to the right. */
export default function ToastRegion() {
  const region = useRef<HTMLElement>(null)
  const cameFrom = useRef<EventTarget>(null)
  const [offset, setOffset] = useState(0)
  const swipe = useDrag<HTMLElement>(
    ({ movement: [x], last, canceled }) => {
      if (last && !canceled && x >= SWIPE_THRESHOLD_PX) notifications.clean()
      setOffset(last ? 0 : Math.max(0, x))
    },
    { axis: 'x', threshold: 5, filterTaps: true },
  )
  useHotkeys([[FOCUS_KEY, () => region.current?.focus()]], [])
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return
    cameFrom.current = relatedTarget
    closeAfter(false)
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) closeAfter(TOAST_MS)
  }
  /** Restores the focus after closing. */
  const returnFocus = ({ target }: MouseEvent) => {
    if (!(target instanceof Element && target.closest('button'))) return
    const origin = cameFrom.current
    if (origin instanceof HTMLElement && origin.isConnected) origin.focus()
    else region.current?.focus()
  }
  return (
    <section
      ref={region}
      className={classes.region}
      aria-label={`Messages (${FOCUS_KEY})`}
      aria-live="polite"
      tabIndex={-1}
      onFocus={onFocus}
      onBlur={onBlur}
      onClickCapture={returnFocus}
    >
      <div ref={swipe.ref} className={classes.swiped} style={{ translate: `${offset}px` }}>
        <Notifications
          withinPortal={false}
          limit={1}
          autoClose={TOAST_MS}
          allowDragDismiss={false}
          allowScrollDismiss={false}
          transitionDuration={200}
          notificationMaxHeight="none"
          className={classes.list}
        />
      </div>
    </section>
  )
}

/** A focused toast stays. */
function closeAfter(autoClose: number | false): void {
  notifications.updateState(notificationsStore, (toasts) =>
    toasts.map((toast) => ({ ...toast, autoClose })),
  )
}
