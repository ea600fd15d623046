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
