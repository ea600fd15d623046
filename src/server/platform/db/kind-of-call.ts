import { AsyncLocalStorage } from 'node:async_hooks'

const calls = new AsyncLocalStorage<string>()

/**
 * Everything that `work` awaits belongs to the same kind of call.
 * @param kind such as a procedure or a route
 */
export function runAsKindOfCall<Result>(kind: string, work: () => Result): Result {
  return calls.run(kind, work)
}

/** Undefined outside of requests. */
export function kindOfCall(): string | undefined {
  return calls.getStore()
}
