/** For calls of modules above, without imports. `buildApp` calls their `listen…` functions once. */
type AppEvent<Payload, Result> = {
  /** Idempotent. */
  listen: (listener: Listener<Payload, Result>) => void
  /** In turn; the first error ends it and the caller's transaction. */
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
