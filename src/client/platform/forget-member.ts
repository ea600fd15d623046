/** Storage keys with a member's data. */
const PREFIXES = ['clutch-queue', 'clutch-places', 'clutch-push', 'clutch-mixes']
/** Owner of each storage. */
const MARK_KEY = 'clutch-member'

const listeners = new Set<() => void>()

/** Called when another person may use the browser. */
export function onForgetMember(listener: () => void): void {
  listeners.add(listener)
}

/** Until they logged out, which an ended session does not do. */
export function hasHadMember(): boolean {
  return storages().some((storage) => storage.getItem(MARK_KEY) !== null)
}

/** Deletes private data. */
export function forgetMember(): void {
  for (const listener of listeners) listener()
  for (const storage of storages()) removeTraces(storage)
}

/** Deletes another member's data. */
export function claimForMember(userId: number): void {
  const others = storages().filter((storage) => {
    const mark = storage.getItem(MARK_KEY)
    return mark !== null && mark !== String(userId)
  })
  if (others.length > 0) for (const listener of listeners) listener()
  for (const storage of others) removeTraces(storage)
  for (const storage of storages()) {
    try {
      storage.setItem(MARK_KEY, String(userId))
    } catch {
      // Full storage; logging out deletes everything anyway.
    }
  }
}

function removeTraces(storage: Storage): void {
  const keys = Object.keys(storage).filter(isTrace)
  for (const key of keys) storage.removeItem(key)
}

const isTrace = (key: string) =>
  key === MARK_KEY || PREFIXES.some((prefix) => key.startsWith(prefix))

function storages(): Storage[] {
  try {
    return [localStorage, sessionStorage]
  } catch {
    return []
  }
}
