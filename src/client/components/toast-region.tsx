import { lazy, Suspense, useSyncExternalStore } from 'react'
import {
  currentToast,
  dismissToast,
  subscribeToToast,
  TOAST_MS,
  type Toast,
} from '../lib/notify.ts'
import classes from './toast-region.module.css'

const FOCUS_KEY = 'F8'
// A message may be about the very connection that its card cannot be fetched over.
const loadCard = () => import('./toast-card.tsx').catch(() => ({ default: PlainToast }))
const ToastCard = lazy(loadCard)

let cameFrom: EventTarget | null = null

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
        {toast?.tone === 'success' && <Message key={toast.id} toast={toast} />}
      </div>
      <div role="alert" aria-live="assertive">
        {toast?.tone === 'error' && <Message key={toast.id} toast={toast} />}
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

function Message({ toast }: { toast: Toast }) {
  return (
    <Suspense>
      <ToastCard toast={toast} findOrigin={() => cameFrom} />
    </Suspense>
  )
}

function PlainToast({ toast }: { toast: Toast }) {
  return (
    <p className={classes.plain} ref={() => void setTimeout(dismissToast, TOAST_MS, toast.id)}>
      <b>{toast.title}</b> <span>{toast.message}</span>
    </p>
  )
}

/** Fetches what a message looks like before there is one. */
export const preloadToasts = () => void loadCard()
