import type { QueryExecutorProvider } from 'kysely'

/** Seconds since the first report, and newly watched seconds, at most as many as have passed since the last one. */
export type Lap = { passed: number; fresh: number }

/** Milliseconds. */
export type SharedStopwatches = {
  report: (
    db: QueryExecutorProvider,
    input: { name: string; watchedSeconds: number; now: number },
  ) => Promise<Lap>
  deleteIdle: (db: QueryExecutorProvider, before: number) => Promise<void>
}
