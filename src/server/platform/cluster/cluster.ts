import type { DialectAdapter, QueryExecutorProvider } from 'kysely'
import type { MessageBus } from './message-bus.ts'
import type { SharedCounters } from './shared-counters.ts'
import type { SharedStopwatches } from './shared-stopwatches.ts'

/**
 * What the processes (nodes) on one database share besides its rows. A database file has one process; see
 * `createSingleProcess`. See docs/decisions/0048-what-nodes-share.md.
 */
export type Cluster = {
  /** Identifies this process among those on the database; differs after each start. Null for a single process. */
  nodeId: string | null
  bus: MessageBus
  locks: Locks
  /** Undefined for a single process, which counts in memory. */
  counters?: SharedCounters
  /** As `counters`. */
  stopwatches?: SharedStopwatches
}

export type Release = () => Promise<void>

export type Locks = {
  /** As `withLock` in `locks.ts`. */
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>
  /** As `tryLock` in `locks.ts`. */
  tryLock: (name: string) => Promise<Release | undefined>
}

/** Carries the cluster of a database, or of a transaction on it. */
export interface ClusterAdapter extends DialectAdapter {
  readonly cluster: Cluster
}

export function clusterOf(db: QueryExecutorProvider): Cluster {
  return (db.getExecutor().adapter as ClusterAdapter).cluster
}

export function busOf(db: QueryExecutorProvider): MessageBus {
  return clusterOf(db).bus
}
