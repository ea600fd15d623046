/** The prefixes of the keys under which a browser stores what a member plays and the lists that they read. */
const PREFIXES = ['clutch-queue', 'clutch-places']
/** Whose these are, in each of the two storages. */
const MARK_KEY = 'clutch-member'

const listeners = new Set<() => void>()

/** Called when the next person at this browser may be another one. */
export function onForgetMember(listener: () => void): void {
  listeners.add(listener)
}

/** Removes from this browser what the next person at it shall not see. */
export function forgetMember(): void {
  for (const listener of listeners) listener()
  for (const storage of storages()) removeTraces(storage)
}

/** Says who is signed in; what another member left here is removed. */
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
      // A full storage: logging out removes everything all the same.
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
