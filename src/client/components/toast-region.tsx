import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { type PointerEvent, useRef, useSyncExternalStore } from 'react'
import {
  currentToast,
  dismissToast,
  subscribeToToast,
  TOAST_MS,
  type Toast,
} from '../lib/notify.ts'
import classes from './toast-region.module.css'

const SWIPE_THRESHOLD_PX = 50
const FOCUS_KEY = 'F8'

/** Where toasts appear: one at a time, spoken by screen readers, focused with F8. */
export function ToastRegion() {
  const toast = useSyncExternalStore(subscribeToToast, currentToast)
  return (
    <section
      ref={focusOnKey}
      className={classes.region}
      aria-label={`Messages (${FOCUS_KEY})`}
      tabIndex={-1}
      onFocus={({ currentTarget, relatedTarget }) => {
        const isFromOutside = !currentTarget.contains(relatedTarget)
        if (isFromOutside) cameFrom = relatedTarget
      }}
    >
      <div role="status" aria-live="polite">
        {toast?.tone === 'success' && <ToastCard key={toast.id} toast={toast} />}
      </div>
      <div role="alert" aria-live="assertive">
        {toast?.tone === 'error' && <ToastCard key={toast.id} toast={toast} />}
      </div>
    </section>
  )
}

function focusOnKey(region: HTMLElement) {
  const focus = (event: KeyboardEvent) => {
    if (event.key === FOCUS_KEY) region.focus()
  }
  document.addEventListener('keydown', focus)
  return () => document.removeEventListener('keydown', focus)
}

let cameFrom: EventTarget | null = null

/** A toast that goes away with the focus in it gives it back to where it came from. */
function returnFocus(card: HTMLElement): void {
  if (!card.contains(document.activeElement)) return
  const region = card.closest('section')
  if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus()
  else region?.focus()
}

function ToastCard({ toast }: { toast: Toast }) {
  const swipe = useSwipeRight(() => dismissToast(toast.id))
  const Icon = toast.tone === 'error' ? IconAlertTriangle : IconCheck
  return (
    <div
      ref={(card) => dismissWhenRead(card, toast.id)}
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
function dismissWhenRead(card: HTMLElement | null, id: number) {
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
    returnFocus(card)
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
