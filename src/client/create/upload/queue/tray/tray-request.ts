const KEY_PREFIX = 'clutch:upload:'
/** The files that wait, in the browser's storage for a member. */
export const WAITING_KEY = 'clutch:upload-waiting:'
const listeners = new Set<() => void>()
let isRequested = false

/** Has the tray fetched, and shown as soon as it has anything to show. */
export function requestTray(): void {
  isRequested = true
  for (const listener of listeners) listener()
}

export const isTrayRequested = () => isRequested

export function subscribeToTrayRequest(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

let heldFor: number | undefined
const stopping = new Map<'queue' | 'form', number>()

/** Whose files the queue holds: their tray stays although a session has ended. */
export function holdTrayFor(userId: number | undefined): void {
  if (heldFor === userId) return
  heldFor = userId
  for (const listener of listeners) listener()
}

export const trayHeldFor = () => heldFor

/** Says how many uploads of the queue, or of the form, stop with the session or the tab. */
export function noteStopping(of: 'queue' | 'form', count: number): void {
  stopping.set(of, count)
}

export const stoppingUploads = () => (stopping.get('queue') ?? 0) + (stopping.get('form') ?? 0)

/** Whether this browser remembers uploads of a member that were not finished. */
export function remembersUploads(userId: number): boolean {
  try {
    return Object.keys(localStorage).some(
      (key) => key.startsWith(`${KEY_PREFIX}${userId}:`) || key === WAITING_KEY + userId,
    )
  } catch {
    return false
  }
}
