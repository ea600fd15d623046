const KEY_PREFIX = 'clutch:upload:'
/** Storage key prefix of waiting files. */
export const WAITING_KEY = 'clutch:upload-waiting:'
/** Storage key prefix: the site fetches files of the member. */
export const FETCHING_KEY = 'clutch:upload-fetching:'
const listeners = new Set<() => void>()
let isRequested = false

/** Loads the tray. */
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
let stopping = 0

/** The tray stays after the session ends. */
export function holdTrayFor(userId: number | undefined): void {
  if (heldFor === userId) return
  heldFor = userId
  for (const listener of listeners) listener()
}

export const trayHeldFor = () => heldFor

/** Uploads that would stop with session or tab. */
export function noteStopping(count: number): void {
  stopping = count
}

export const stoppingUploads = () => stopping

/** Has unfinished uploads in storage. */
export function remembersUploads(userId: number): boolean {
  try {
    return Object.keys(localStorage).some(
      (key) =>
        key.startsWith(`${KEY_PREFIX}${userId}:`) ||
        key === WAITING_KEY + userId ||
        key === FETCHING_KEY + userId,
    )
  } catch {
    return false
  }
}
