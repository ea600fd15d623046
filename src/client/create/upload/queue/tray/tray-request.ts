const KEY_PREFIX = 'clutch:upload:'
/** Storage key prefix of waiting files. */
export const WAITING_KEY = 'clutch:upload-waiting:'
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
const stopping = new Map<'queue' | 'form', number>()

/** The tray stays after the session ends. */
export function holdTrayFor(userId: number | undefined): void {
  if (heldFor === userId) return
  heldFor = userId
  for (const listener of listeners) listener()
}

export const trayHeldFor = () => heldFor

/** Uploads that would stop with session or tab. */
export function noteStopping(of: 'queue' | 'form', count: number): void {
  stopping.set(of, count)
}

export const stoppingUploads = () => (stopping.get('queue') ?? 0) + (stopping.get('form') ?? 0)

/** Has unfinished uploads in storage. */
export function remembersUploads(userId: number): boolean {
  try {
    return Object.keys(localStorage).some(
      (key) => key.startsWith(`${KEY_PREFIX}${userId}:`) || key === WAITING_KEY + userId,
    )
  } catch {
    return false
  }
}
