/**
 * What a module announces to modules above it without importing them: it raises the event, they listen.
 * Listeners are registered once per process by `listen…` functions that `buildApp` calls.
 */
type AppEvent<Payload, Result> = {
  /** Registering the same function again changes nothing. */
  listen: (listener: Listener<Payload, Result>) => void
  /** Calls the listeners one after the other; the first that throws ends it, and with it the caller's transaction. */
  raise: (payload: Payload) => Promise<Result[]>
}

type Listener<Payload, Result> = (payload: Payload) => Promise<Result>

export function createEvent<Payload, Result = void>(): AppEvent<Payload, Result> {
  const listeners = new Set<Listener<Payload, Result>>()
  return {
    listen: (listener) => {
      listeners.add(listener)
    },
    async raise(payload) {
      const results: Result[] = []
      for (const listener of listeners) results.push(await listener(payload))
      return results
    },
  }
}
