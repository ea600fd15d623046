import type { QueryExecutorProvider } from 'kysely'
import { clusterOf } from './cluster.ts'

const RENEWAL_PART = 1 / 6

export type LeaseKeeper = {
  /** Stored in the rows; null for a single process. */
  holder: string | null
  /** Ends after the first renewal, or the recovery of a single process. */
  start: () => Promise<void>
  renewLease: () => void
  stop: () => Promise<void>
}

type Work = {
  recover: () => Promise<void>
  /** Each sixth of a lease, with several nodes. */
  renew: (holder: string) => Promise<void>
  /** Also after a failed renewal. */
  onRenewed: () => void
  onError: (error: unknown) => void
}

export function createLeaseKeeper(
  db: QueryExecutorProvider,
  { leaseMs, ...work }: { leaseMs: number } & Work,
): LeaseKeeper {
  const { nodeId } = clusterOf(db)
  return nodeId === null
    ? { holder: null, start: work.recover, renewLease: () => {}, stop: async () => {} }
    : keepLeases(nodeId, { leaseMs, ...work })
}

function keepLeases(
  holder: string,
  { leaseMs, ...work }: { leaseMs: number } & Omit<Work, 'recover'>,
): LeaseKeeper {
  let isStarted = false
  let timer: NodeJS.Timeout | undefined
  let renewal: Promise<void> | undefined

  async function renew(): Promise<void> {
    await work.renew(holder).catch(work.onError)
    if (!isStarted) return
    clearTimeout(timer)
    timer = setTimeout(renewLease, leaseMs * RENEWAL_PART)
    work.onRenewed()
  }

  function renewLease(): void {
    if (isStarted) renewal = renew()
  }

  return {
    holder,
    renewLease,
    async start() {
      isStarted = true
      renewLease()
      await renewal
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await renewal
    },
  }
}
