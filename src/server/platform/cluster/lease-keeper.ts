import type { QueryExecutorProvider } from 'kysely'
import { clusterOf } from './cluster.ts'

/** The part of a lease after which it is renewed. */
const RENEWAL_PART = 1 / 6

/** Renews the leases that this process holds on rows of work. A single process needs none: it holds all of its work. */
export type LeaseKeeper = {
  /** The holder that the rows name; null for a single process, whose work has no lease. */
  holder: string | null
  /** Begins, after the first renewal; a single process recovers the work of an earlier one instead. */
  start: () => Promise<void>
  /** Renews now. */
  renewLease: () => void
  /** Resolves when the last renewal has ended. */
  stop: () => Promise<void>
}

type Work = {
  /** Runs at the start of a single process. */
  recover: () => Promise<void>
  /** Runs at the start of one of several processes, and again each sixth of a lease. */
  renew: (holder: string) => Promise<void>
  /** Runs after each renewal, failed ones too. */
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
