import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { type PointerEvent, useRef } from 'react'
import { dismissToast, TOAST_MS, type Toast } from '../lib/notify.ts'
import classes from './toast-card.module.css'

const SWIPE_THRESHOLD_PX = 50

type ToastCardProps = {
  toast: Toast
  /** What had the focus before it came to the toasts. */
  findOrigin: () => EventTarget | null
}

/** One message: it goes after five seconds, with a swipe to the right, or when it is told to. */
export default function ToastCard({ toast, findOrigin }: ToastCardProps) {
  const swipe = useSwipeRight(() => dismissToast(toast.id))
  const Icon = toast.tone === 'error' ? IconAlertTriangle : IconCheck
  return (
    <div
      ref={(card) => dismissWhenRead(card, toast.id, findOrigin)}
      className={classes.toast}
      data-tone={toast.tone}
      {...swipe}
    >
      <Icon className={classes.icon} size={20} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{toast.title}</p>
        {toast.message && <p className={classes.message}>{toast.message}</p>}
      </div>
      <button
        type="button"
        className={classes.close}
        aria-label="Dismiss message"
        onClick={() => dismissToast(toast.id)}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}

/** Counts the toast's five seconds, but not while it is pointed at or has the focus. */
function dismissWhenRead(
  card: HTMLElement | null,
  id: number,
  findOrigin: ToastCardProps['findOrigin'],
) {
  if (!card) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const pause = () => clearTimeout(timer)
  const start = () => {
    pause()
    timer = setTimeout(() => dismissToast(id), TOAST_MS)
  }
  const region = card.closest('section') ?? card
  const signals = new AbortController()
  for (const type of ['pointerenter', 'focusin']) {
    region.addEventListener(type, pause, { signal: signals.signal })
  }
  for (const type of ['pointerleave', 'focusout']) {
    region.addEventListener(type, start, { signal: signals.signal })
  }
  start()
  return () => {
    pause()
    signals.abort()
    returnFocus(card, findOrigin())
  }
}

function useSwipeRight(onSwipe: () => void) {
  const startX = useRef<number>(undefined)
  const end = (event: PointerEvent<HTMLElement>) => {
    if (startX.current === undefined) return
    const distance = event.clientX - startX.current
    startX.current = undefined
    event.currentTarget.style.translate = ''
    if (event.type === 'pointerup' && distance >= SWIPE_THRESHOLD_PX) onSwipe()
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.target instanceof Element && event.target.closest('button')) return
      startX.current = event.clientX
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (startX.current === undefined) return
      const distance = Math.max(0, event.clientX - startX.current)
      event.currentTarget.style.translate = `${distance}px`
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}

/** A toast that goes away with the focus in it gives it back to where it came from. */
function returnFocus(card: HTMLElement, origin: EventTarget | null): void {
  if (!card.contains(document.activeElement)) return
  const region = card.closest('section')
  if (origin instanceof HTMLElement && origin.isConnected) origin.focus()
  else region?.focus()
}
