import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from './config.ts'

export type Drain = ReturnType<typeof createDrain>

/** Requests are served while readiness fails, so that load balancers notice. */
export function createDrain({ drainSeconds }: Pick<Config, 'drainSeconds'>) {
  const begun = new AbortController()
  const over = new AbortController()
  return {
    signal: begun.signal,

    /**
     * A second call ends it.
     * @returns at the end, whether it began
     */
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
