import type { DialectAdapter, QueryExecutorProvider } from 'kysely'
import type { MessageBus } from './message-bus.ts'
import type { SharedCounters } from './shared-counters.ts'
import type { SharedStopwatches } from './shared-stopwatches.ts'

/**
 * Shared by the nodes on one database, besides its rows. See
 * docs/decisions/0048-what-nodes-share.md.
 */
export type Cluster = {
  /** New at each start; null for a single process. */
  nodeId: string | null
  bus: MessageBus
  locks: Locks
  /** A single process counts in memory. */
  counters?: SharedCounters
  stopwatches?: SharedStopwatches
}

export type Release = () => Promise<void>

export type Locks = {
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>
  tryLock: (name: string) => Promise<Release | undefined>
}

export interface ClusterAdapter extends DialectAdapter {
  readonly cluster: Cluster
}

export function clusterOf(db: QueryExecutorProvider): Cluster {
  return (db.getExecutor().adapter as ClusterAdapter).cluster
}

export function busOf(db: QueryExecutorProvider): MessageBus {
  return clusterOf(db).bus
}
