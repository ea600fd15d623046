import { AsyncLocalStorage } from 'node:async_hooks'

const calls = new AsyncLocalStorage<string>()

/**
 * Whatever `work` awaits is of the same kind.
 * @param kind such as a noun or a route
 */
export function runAsKindOfCall<Result>(kind: string, work: () => Result): Result {
  return calls.run(kind, work)
}

/** Undefined outside of requests. */
export function kindOfCall(): string | undefined {
  return calls.getStore()
}
