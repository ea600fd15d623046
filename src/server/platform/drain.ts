import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from './config.ts'

export type Drain = ReturnType<typeof createDrain>

/** What lies between the signal that ends a process and its end: load balancers look away, and whoever comes is served. */
export function createDrain({ drainSeconds }: Pick<Config, 'drainSeconds'>) {
  const begun = new AbortController()
  const over = new AbortController()
  return {
    /** Aborts when it begins. */
    signal: begun.signal,

    /** Begins, or ends one that is under way. @returns whether it began; resolves when it is over */
    async begin(): Promise<boolean> {
      if (begun.signal.aborted) {
        over.abort()
        return false
      }
      begun.abort()
      await pause(drainSeconds * 1000, undefined, over).catch(() => {})
      return true
    },
  }
}
