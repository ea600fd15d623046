import type { QueryExecutorProvider } from 'kysely'

/** Seconds since the first report, and those watched since the report before, at most as many as have passed. */
export type Lap = { passed: number; fresh: number }

/** Rows that all processes share; times are in milliseconds. */
export type SharedStopwatches = {
  report: (
    db: QueryExecutorProvider,
    input: { name: string; watchedSeconds: number; now: number },
  ) => Promise<Lap>
  deleteIdle: (db: QueryExecutorProvider, before: number) => Promise<void>
}
